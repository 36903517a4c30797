/**
 * A text of megabytes in portions, one below the other, of which only those near the view are in the page.
 * Portions form groups, and groups form chunks: of a chunk that is far from the view only the height is in
 * the page, and nobody has cut it into portions.
 */
import { useState, type ReactNode } from 'react';
import { estimateLines, minPortion, splitLongText } from '../../kit/text/splitLongText';
import { VirtualizedBlock } from './VirtualizedBlock';

/** Portions that come and go together. */
const portionsPerGroup = 4;

/** The minimum length of a chunk, in characters; it has less than twice as many. */
const minChunk = 32 * minPortion;

type PortionGroup = { portions: readonly string[]; lines: number };

class TextChunk {
  readonly text: string;
  readonly lines: number;
  /** The groups of a shorter text of the same chunk. */
  private readonly known: readonly PortionGroup[];
  private grouped: readonly PortionGroup[] | null = null;

  constructor(text: string, before: TextChunk | undefined) {
    this.text = text;
    this.lines = estimateLines(text);
    this.known = before?.grouped ?? [];
  }

  /** Groups with the same portions as before keep their identity, by which their heights are known. */
  get groups(): readonly PortionGroup[] {
    this.grouped ??= groupPortions(splitLongText(this.text)).map((portions, at) => {
      const known = this.known[at];
      return known && isEqual(known.portions, portions) ? known : groupOf(portions);
    });
    return this.grouped;
  }
}

/** The last portion is a group of its own: it alone is rendered before the view is known. */
function groupPortions(portions: readonly string[]): readonly (readonly string[])[] {
  const first = portions.slice(0, -1);
  const count = Math.ceil(first.length / portionsPerGroup);
  const groups = Array.from({ length: count }, (_, at) =>
    first.slice(at * portionsPerGroup, (at + 1) * portionsPerGroup),
  );
  return [...groups, portions.slice(-1)];
}

const groupOf = (portions: readonly string[]): PortionGroup => ({
  portions,
  lines: portions.reduce((lines, words) => lines + estimateLines(words), 0),
});

const isEqual = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((portion, at) => portion === other[at]);

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
        {() => <PortionGroups {...{ chunk, isLast, lineHeight, children }} />}
      </VirtualizedBlock>
    );
  });
}

type PortionGroupsProps = Omit<TextPortionsProps, 'text'> & { chunk: TextChunk; isLast: boolean };

function PortionGroups({ chunk, isLast, lineHeight, children }: PortionGroupsProps) {
  const { groups } = chunk;
  return groups.map((group, at) => (
    <VirtualizedBlock
      key={at}
      of={group}
      mayLeave
      // 4,096 characters of a line without spaces take 4 ms to lay out.
      estimate={isLast && at === groups.length - 1 ? undefined : group.lines * lineHeight}
    >
      {() => group.portions.map(children)}
    </VirtualizedBlock>
  ));
}
