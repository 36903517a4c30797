/**
 * Parses a streaming text. Finished pieces are parsed once, when their blocks are first read, and keep their
 * identity, so that React skips them; only the last piece is parsed again. The result does not depend on the
 * portions in which the text arrived.
 */
import type { LinkDefinitions } from './lexer';
import { parseIncomplete } from './incompleteMarkdown';
import { outlineListPart } from './listParts';
import { parseBlock, parseListPart, rawBlock } from './parseBlock';
import { hasLongLine } from '../../kit/text/splitLongText';
import { BlockSplitter, type SourceBlock } from './blockSplitter';
import { labelUse } from './labelUse';
import {
  LazySection,
  parsedSection,
  Sections,
  sectionsOf,
  type ListPart,
  type Section,
  type SectionGroup,
} from './sections';
import type { Block } from './ast';

type ParsedTail = {
  source: string;
  sections: readonly Section[];
  /** A line is too long to be anything but plain text. */
  isPlain: boolean;
};

/** A finished piece. */
type ParsedPiece = {
  source: SourceBlock;
  /** The piece begins with an item of the list before it. */
  continuesList: boolean;
  /** `part`: the list goes on in the next piece. */
  blocks: readonly Block[] | { sections: readonly Section[] } | { part: ListPart };
};

/** A longer piece is parsed at once, because it may have to be split into several sections. */
const longestLazy = 4096;

/** True if no other piece depends on this one: it defines no target of a link. */
const isSelfContained = ({ kind, source }: SourceBlock) =>
  kind === 'flow' && source.length <= longestLazy && !source.includes(']:');

/** A tail longer than this is parsed again only after it has grown by an eighth. */
const longTail = 4096;
/** A longer open fence is read again only when it has grown by one part in {@link longFenceGrowth}. */
const longFence = 65_536;
const longFenceGrowth = 32;

export class IncrementalParser {
  private splitter = new BlockSplitter();
  private links = emptyLinkDefinitions();
  private pieces: ParsedPiece[] = [];
  private sections = new Sections();
  private taken = 0;
  /** Parts of a list that can only be parsed together with the next piece. */
  private unparsed = '';
  private tails: ParsedTail[] = [];
  /** The received text. */
  private portions: readonly string[] = [];
  private last: { done: boolean; groups: readonly SectionGroup[] } | null = null;
  /** The fence that is open at the end of `last`: the number of blocks before it, and its length. */
  private shownFence: { after: number; length: number } | null = null;

  /**
   * The tree of a text, given whole or as the portions in which it arrived: then only new portions
   * are parsed, and the text is not concatenated for each.
   */
  parse(portions: readonly string[], done: boolean): readonly SectionGroup[] {
    const more = addedPortions(this.portions, portions);
    if (more?.length === 0 && this.last?.done === done) return this.last.groups;
    const goesOn = more !== null && !this.last?.done;
    if (!goesOn) this.restart();
    for (const words of goesOn ? more : portions) this.splitter.add(words);
    for (const piece of this.splitter.closed.slice(this.taken)) this.add(piece);
    this.taken = this.splitter.closed.length;
    const groups = done ? this.finish() : this.view();
    // Of a whole text only its tree is needed: each collection of the webview visits all that is kept.
    if (done) this.restart();
    this.portions = portions;
    this.last = { done, groups };
    return groups;
  }

  private restart() {
    this.splitter = new BlockSplitter();
    this.links = emptyLinkDefinitions();
    this.pieces = [];
    this.sections = new Sections();
    this.taken = 0;
    this.unparsed = '';
    this.tails = [];
    this.shownFence = null;
  }

  private add(piece: SourceBlock) {
    const source = { ...piece, source: this.unparsed + piece.source };
    const { continuesList } = this.sections;
    const blocks = this.parsePiece(source, continuesList);
    this.unparsed = blocks ? '' : source.source;
    if (!blocks) return;
    const parsed = { source, continuesList, blocks };
    this.pieces.push(parsed);
    addTo(this.sections, parsed);
  }

  /** null: the piece must be parsed together with the next. */
  private parsePiece(piece: SourceBlock, continuesList: boolean): ParsedPiece['blocks'] | null {
    if (!continuesList && piece.nextItem === null && isSelfContained(piece)) {
      const { links } = this;
      const section = new LazySection(piece.source, () => parseBlock(piece, links));
      return { sections: [section] };
    }
    if (piece.nextItem === null) return parseBlock(piece, this.links, { continuesList });
    if (this.unparsed !== '') return null;
    const part = this.listPart(piece, piece.nextItem);
    return part && { part };
  }

  private listPart(piece: SourceBlock, nextItem: string): ListPart | null {
    const { source } = piece;
    const { links } = this;
    const lazy = isSelfContained(piece) ? outlineListPart(source, nextItem) : null;
    let parsed = lazy ? null : parseListPart(source, nextItem, links);
    const outline = lazy?.list ?? parsed;
    if (!outline) return null;
    const asText = { ...outline, items: [{ done: null, blocks: [rawBlock(source)] }] };
    const parse = () => (parsed ??= parseListPart(source, nextItem, links) ?? asText);
    return { source, size: lazy?.size ?? outline.items.length, outline, parse };
  }

  private view(): readonly SectionGroup[] {
    const length = this.splitter.openFenceLength();
    if (this.last && length !== null && this.isShownLongFence(length)) return this.last.groups;
    this.shownFence = length === null ? null : { after: this.taken, length };
    const open = this.splitter
      .open()
      .flatMap((piece, at) =>
        at === 0
          ? this.readTail({ ...piece, source: this.unparsed + piece.source }, at)
          : this.readTail(piece, at),
      );
    return this.sections.withOpen(open);
  }

  /** True if a long code block has grown by so little that rendering it can wait. */
  private isShownLongFence(length: number): boolean {
    const shown = this.shownFence;
    if (shown?.after !== this.taken || shown.length <= longFence) return false;
    return length - shown.length < shown.length / longFenceGrowth;
  }

  private finish(): readonly SectionGroup[] {
    for (const piece of this.splitter.open()) this.add(piece);
    this.resolveLinks();
    return this.sections.withOpen([]);
  }

  /**
   * A reference link may come before its target: once all targets are known, the pieces that may refer to
   * one are parsed again.
   */
  private resolveLinks() {
    const mayRefer = labelUse(this.links);
    const resolved = this.pieces.map((piece) =>
      isParsed(piece) && mayRefer(piece.source.source)
        ? { ...piece, blocks: this.parsePiece(piece.source, piece.continuesList) ?? piece.blocks }
        : piece,
    );
    if (resolved.every((piece, at) => piece === this.pieces[at])) return;
    this.sections = new Sections(this.sections.withOpen([]));
    for (const piece of resolved) addTo(this.sections, piece);
  }

  private readTail(piece: SourceBlock, at: number): Section[] {
    const known = this.tails[at];
    const continuesList = at === 0 && this.sections.continuesList;
    let isPlain = false;
    if (known && piece.kind === 'flow' && piece.source.startsWith(known.source)) {
      const rest = piece.source.slice(known.source.length);
      if (rest === '') return [...known.sections];
      isPlain = known.isPlain;
      if (!isPlain && known.source.length > longTail && rest.length < known.source.length / 8) {
        return [...known.sections, parsedSection([rawBlock(rest)])];
      }
    }
    isPlain ||= !continuesList && piece.kind === 'flow' && hasLongLine(piece.source);
    const sections = sectionsOf(
      isPlain ? [rawBlock(piece.source)] : this.parseTail(piece, continuesList),
    );
    this.tails[at] = { source: piece.source, sections, isPlain };
    return [...sections];
  }

  private parseTail(piece: SourceBlock, continuesList: boolean): readonly Block[] {
    const places = Object.assign(emptyLinkDefinitions(), this.links);
    const short = piece.kind === 'flow' && piece.source.length <= longTail;
    return short
      ? parseIncomplete(piece, places, continuesList)
      : parseBlock(piece, places, { growing: true, continuesList });
  }
}

/** False if the blocks of the text will be parsed with all targets of links. */
const isParsed = ({ blocks }: ParsedPiece) =>
  !('sections' in blocks) || blocks.sections.every(({ unparsed }) => unparsed === null);

function addTo(sections: Sections, { blocks }: ParsedPiece) {
  if ('sections' in blocks) sections.addSections(blocks.sections);
  else if ('part' in blocks) sections.addListPart(blocks.part);
  else sections.add(blocks);
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
