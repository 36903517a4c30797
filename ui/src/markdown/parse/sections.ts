/**
 * The sections of a text in groups, built piece by piece. The parts of a list become one list, or several if
 * it is long.
 */
import { isLongPart, joinLists, listAfter } from './listParts';
import type { Block, ListBlock } from './ast';

/** Blocks that are rendered together. */
export type Section = {
  readonly blocks: readonly Block[];
  /** The source of blocks that nobody has read yet; null: they are parsed. */
  readonly unparsed: string | null;
};

/** A section whose blocks are parsed when they are first read, which is when it comes near the view. */
export class LazySection implements Section {
  private parsed: readonly Block[] | null = null;
  private readonly source: string;
  private readonly parse: () => readonly Block[];

  constructor(source: string, parse: () => readonly Block[]) {
    this.source = source;
    this.parse = parse;
  }

  get blocks(): readonly Block[] {
    return (this.parsed ??= this.parse());
  }

  get unparsed(): string | null {
    return this.parsed ? null : this.source;
  }
}

export const parsedSection = (blocks: readonly Block[]): Section => ({ blocks, unparsed: null });

/** A part of a list that goes on in the next piece. */
export type ListPart = {
  source: string;
  /** The number of its items. */
  size: number;
  /** Its start, without its items unless they are parsed. */
  outline: ListBlock;
  /** Parses the items, once. */
  parse: () => ListBlock;
};

/** Sections are grouped, so that a long text is compared group by group. */
export type SectionGroup = readonly Section[];

/** Sections of a group: more once there are many, because every group costs time in each frame. */
const groupSize = 8;
const manyGroups = 128;
const largeGroupSize = 64;

const sizeOfGroup = (at: number) => (at >= manyGroups ? largeGroupSize : groupSize);

export class Sections {
  private readonly groups: SectionGroup[] = [];
  private pending: Section[] = [];
  /** The list that goes on in the next piece, without the items of its parts so far. */
  private list: ListBlock | null = null;
  private listParts: ListPart[] = [];
  private shown: readonly SectionGroup[];

  /** Groups that are equal to those of `shown`, or of the last call of `withOpen`, are the same objects. */
  constructor(shown: readonly SectionGroup[] = []) {
    this.shown = shown;
  }

  /** The next piece continues a list. */
  get continuesList(): boolean {
    return this.list !== null;
  }

  /** Adds a part of a list that goes on in the next piece. */
  addListPart(part: ListPart) {
    const list = this.list ?? { ...part.outline, items: [] };
    const parts = [...this.listParts, part];
    const source = parts.map((one) => one.source).join('');
    const size = parts.reduce((sum, one) => sum + one.size, 0);
    const isLong = isLongPart(source.length, size);
    const loose = list.loose || part.outline.loose;
    this.list = isLong ? listAfter({ ...list, loose }, size) : { ...list, loose };
    this.listParts = isLong ? [] : parts;
    if (!isLong) return;
    this.push(new LazySection(source, () => [{ ...joinParts(list, parts), goesOn: true }]));
  }

  /** Adds the blocks of a piece. */
  add(blocks: readonly Block[]) {
    for (const section of this.joined(blocks)) this.push(section);
    this.list = null;
    this.listParts = [];
  }

  /** Adds the sections of a piece that does not continue a list. */
  addSections(sections: readonly Section[]) {
    for (const section of sections) this.push(section);
  }

  /** All groups, with the sections of the pieces that are still open; `tail` are those of the first. */
  withOpen(open: readonly Section[]): readonly SectionGroup[] {
    const [tail, ...more] = open;
    const joined = this.list ? [...this.joined(tail?.blocks ?? []), ...more] : open;
    let rest = [...this.pending, ...joined.filter(({ blocks }) => blocks.length > 0)];
    const groups = [...this.groups];
    while (rest.length > 0) {
      const size = sizeOfGroup(groups.length);
      groups.push(this.known(rest.slice(0, size), groups.length));
      rest = rest.slice(size);
    }
    this.shown = groups;
    return groups;
  }

  private joined(blocks: readonly Block[]): readonly Section[] {
    if (!this.list) return sectionsOf(blocks);
    const list = joinParts(this.list, this.listParts);
    const [first, ...rest] = blocks;
    if (first?.type === 'list') return sectionsOf([joinLists(list, first), ...rest]);
    return sectionsOf(list.items.length > 0 ? [list, ...blocks] : blocks);
  }

  private push(section: Section) {
    this.pending.push(section);
    if (this.pending.length < sizeOfGroup(this.groups.length)) return;
    this.groups.push(this.known(this.pending, this.groups.length));
    this.pending = [];
  }

  private known(group: SectionGroup, at: number): SectionGroup {
    const before = this.shown[at];
    const isSame =
      before?.length === group.length && group.every((section, at) => section === before[at]);
    return isSame ? before : group;
  }
}

const joinParts = (list: ListBlock, parts: readonly ListPart[]) =>
  parts.reduce((joined, part) => joinLists(joined, part.parse()), list);

export const sectionsOf = (blocks: readonly Block[]): readonly Section[] =>
  blocks.map((block) => parsedSection([block]));
