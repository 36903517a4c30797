/**
 * Parses a streaming text. Finished sections are parsed once and keep their identity, so that React skips
 * them; only the last piece is parsed again. The result does not depend on the portions in which the text
 * arrived.
 */
import type { LinkDefinitions } from './lexer';
import { parseIncomplete } from './incompleteMarkdown';
import { rawBlocks, parseBlock } from './parseBlock';
import { BlockSplitter, type SourceBlock } from './blockSplitter';
import type { Block } from './ast';

/** Blocks that are rendered together. */
export type Section = readonly Block[];

type ParsedTail = { source: string; blocks: Section };

/** Sections are grouped, so that a long text is compared group by group. */
export type SectionGroup = readonly Section[];

const groupSize = 8;
/** A tail longer than this is parsed again only after it has grown by an eighth. */
const longTail = 4096;
/** An open fence longer than this is read again only when it has grown by one part in so many. */
const longFence = 65_536;
const longFenceGrowth = 32;

export class IncrementalParser {
  private splitter = new BlockSplitter();
  private links = emptyLinkDefinitions();
  private groups: SectionGroup[] = [];
  private pending: Section[] = [];
  private taken = 0;
  private tails: ParsedTail[] = [];
  /** The received text. */
  private portions: readonly string[] = [];
  private last: { done: boolean; groups: readonly SectionGroup[] } | null = null;
  /** The open fence of `last`: the blocks before it, and its characters. */
  private shownFence: { after: number; length: number } | null = null;

  /**
   * The tree of a text, given whole or as the portions in which it arrived: then only new portions are
   * parsed, and nobody concatenates the text for each.
   */
  parse(portions: readonly string[], done: boolean): readonly SectionGroup[] {
    const more = addedPortions(this.portions, portions);
    if (more?.length === 0 && this.last?.done === done) return this.last.groups;
    const goesOn = more !== null && !this.last?.done;
    if (!goesOn) this.restart();
    for (const words of goesOn ? more : portions) this.splitter.add(words);
    for (const piece of this.splitter.closed.slice(this.taken))
      this.keep(parseBlock(piece, this.links, false));
    this.taken = this.splitter.closed.length;
    const groups = done ? this.finish() : this.view();
    this.portions = portions;
    this.last = { done, groups };
    return groups;
  }

  private restart() {
    this.splitter = new BlockSplitter();
    this.links = emptyLinkDefinitions();
    this.groups = [];
    this.pending = [];
    this.taken = 0;
    this.tails = [];
    this.shownFence = null;
  }

  private keep(piece: Section) {
    for (const section of sectionsOf(piece)) {
      this.pending.push(section);
      if (this.pending.length < groupSize) continue;
      this.groups.push(this.pending);
      this.pending = [];
    }
  }

  private view(): readonly SectionGroup[] {
    const length = this.splitter.openFenceLength();
    if (this.last && length !== null && this.isShownLongFence(length)) return this.last.groups;
    this.shownFence = length === null ? null : { after: this.taken, length };
    const open = this.splitter.open().flatMap((piece, at) => this.readTail(piece, at));
    const last = [...this.pending, ...open];
    return last.length > 0 ? [...this.groups, last] : [...this.groups];
  }

  /** Whether a long fence has grown by so little that the reader does not miss it. */
  private isShownLongFence(length: number): boolean {
    const shown = this.shownFence;
    if (shown?.after !== this.taken || shown.length <= longFence) return false;
    return length - shown.length < shown.length / longFenceGrowth;
  }

  private finish(): readonly SectionGroup[] {
    const open = this.splitter.open();
    for (const piece of open) this.keep(parseBlock(piece, this.links, false));
    if (Object.keys(this.links).length > 0) this.resolveLinks(open);
    return this.pending.length > 0 ? [...this.groups, this.pending] : this.groups;
  }

  /**
   * A reference link may come before its target: once all targets are known, everything is parsed again.
   */
  private resolveLinks(open: readonly SourceBlock[]) {
    this.groups = [];
    this.pending = [];
    for (const piece of [...this.splitter.closed, ...open])
      this.keep(parseBlock(piece, this.links, false));
  }

  private readTail(piece: SourceBlock, at: number): Section[] {
    const known = this.tails[at];
    if (known && piece.kind === 'flow' && piece.source.startsWith(known.source)) {
      const rest = piece.source.slice(known.source.length);
      if (rest === '') return [known.blocks];
      if (known.source.length > longTail && rest.length < known.source.length / 8) {
        return [known.blocks, rawBlocks(rest)];
      }
    }
    const places = Object.assign(emptyLinkDefinitions(), this.links);
    const short = piece.kind === 'flow' && piece.source.length <= longTail;
    const blocks = short ? parseIncomplete(piece, places) : parseBlock(piece, places, true);
    this.tails[at] = { source: piece.source, blocks };
    return [blocks];
  }
}

/** A piece that is too long for one element is split into sections. */
function sectionsOf(piece: Section): readonly Section[] {
  if (piece.length === 0) return [];
  return piece.some(({ type }) => type !== 'raw') ? [piece] : piece.map((block) => [block]);
}

/** The text that `now` adds to `before`; null: it does not begin with `before`. */
function addedPortions(
  before: readonly string[],
  now: readonly string[],
): readonly string[] | null {
  if (before.every((words, at) => words === now[at])) return now.slice(before.length);
  const [begun, text] = [before.join(''), now.join('')];
  return text.startsWith(begun) ? [text.slice(begun.length)] : null;
}

const emptyLinkDefinitions = () => Object.create(null) as LinkDefinitions;
