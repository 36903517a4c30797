/**
 * A text of megabytes in portions, one below the other, of which only those near the view are in the page.
 * Portions form chunks: of a chunk that is far from the view only the height is in the page, and nobody has
 * cut it into portions.
 */
import { useState, type ReactNode } from 'react';
import { estimateLines, minPortion, splitLongText } from '../../kit/text/splitLongText';
import { VirtualizedBlock } from './VirtualizedBlock';

/** The minimum length of a chunk but the last, in characters. */
const minChunk = 32 * minPortion;

/** A text whose identity is that of its content, by which its height is known. */
class TextPart {
  readonly text: string;
  private estimated: number | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get lines(): number {
    return (this.estimated ??= estimateLines(this.text));
  }
}

class TextChunk extends TextPart {
  /** The portions of a shorter text of the same chunk. */
  private readonly known: readonly TextPart[];
  private split: readonly TextPart[] | null = null;

  constructor(text: string, before: TextChunk | undefined) {
    super(text);
    this.known = before?.split ?? [];
  }

  get portions(): readonly TextPart[] {
    this.split ??= splitLongText(this.text).map((words, at) => {
      const known = this.known[at];
      return known?.text === words ? known : new TextPart(words);
    });
    return this.split;
  }
}

/** Cuts a text that may grow: chunks that no further text changes keep their identity. */
class ChunkSplitter {
  private last: readonly TextChunk[] = [];

  split(text: string): readonly TextChunk[] {
    this.last = splitLongText(text, minChunk).map((words, at) => {
      const known = this.last[at];
      return known?.text === words ? known : new TextChunk(words, known);
    });
    return this.last;
  }
}

type TextPortionsProps = {
  text: string;
  /** In px. */
  lineHeight: number;
  children: (portion: string, at: number) => ReactNode;
};

export function TextPortions({ text, lineHeight, children }: TextPortionsProps) {
  const [splitter] = useState(() => new ChunkSplitter());
  const chunks = splitter.split(text);
  return chunks.map((chunk, at) => {
    // A text opens at its end.
    const isLast = at === chunks.length - 1;
    return (
      <VirtualizedBlock
        key={at}
        of={chunk}
        mayLeave={!isLast}
        estimate={isLast ? undefined : chunk.lines * lineHeight}
      >
        {() => <ChunkPortions {...{ chunk, isLast, lineHeight, children }} />}
      </VirtualizedBlock>
    );
  });
}

type ChunkPortionsProps = Omit<TextPortionsProps, 'text'> & { chunk: TextChunk; isLast: boolean };

function ChunkPortions({ chunk, isLast, lineHeight, children }: ChunkPortionsProps) {
  const { portions } = chunk;
  return portions.map((portion, at) => (
    <VirtualizedBlock
      key={at}
      of={portion}
      mayLeave
      // 4,096 characters of a line without spaces take 4 ms to lay out.
      estimate={isLast && at === portions.length - 1 ? undefined : portion.lines * lineHeight}
    >
      {() => children(portion.text, at)}
    </VirtualizedBlock>
  ));
}
