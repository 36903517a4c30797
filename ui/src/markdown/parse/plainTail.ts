/**
 * The sections of a growing plain text, one for each portion. Those that no further text changes keep their
 * identity, so that a line of megabytes is neither split nor laid out again as it grows.
 */
import { endOfPortion } from '../../kit/text/splitLongText';
import { rawBlocks } from './parseBlock';
import { parsedSection, type Section } from './sections';

/** A cut depends on the portion after it: the last two portions may still change. */
const changing = 2;

export class PlainTail {
  readonly sections: readonly Section[];
  private readonly source: string;
  private readonly fixed: readonly Section[];
  /** Where in `source` the portions begin that are not fixed. */
  private readonly from: number;

  private constructor(source: string, known: readonly Section[], from: number) {
    const blocks = rawBlocks(source.slice(from).trimEnd());
    const sections = blocks.map((block) =>
      parsedSection([block.type === 'raw' && from > 0 ? { ...block, goesOn: true } : block]),
    );
    const settled = Math.max(0, blocks.length - changing);
    let end = from;
    for (const block of blocks.slice(0, settled))
      if (block.type === 'raw') end = endOfPortion(source, end + block.text.length);
    this.source = source;
    this.fixed = [...known, ...sections.slice(0, settled)];
    this.sections = [...known, ...sections];
    this.from = end;
  }

  static of(source: string): PlainTail {
    return new PlainTail(source, [], 0);
  }

  /** The same for a longer text; null: it does not begin with this one. */
  grown(source: string): PlainTail | null {
    if (source === this.source) return this;
    return source.startsWith(this.source) ? new PlainTail(source, this.fixed, this.from) : null;
  }
}
