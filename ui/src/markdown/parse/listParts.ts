/**
 * A list or a quotation that is too long for one element is several blocks, and a list that arrives in parts
 * is put together. Not here: the parsing of a part.
 */
import type { Token } from 'marked';
import type { ListBlock } from './ast';

/** An item that ends with its line: neither a rule nor nested too deeply. */
const itemOfOneLine =
  /^(?!(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){5})([-*+]|\d{1,9}[.)]) {1,4}(?=[^\s>])(?=.*[^-*_\s])/;

/**
 * A part of a list without its items, which parseListPart may parse later, and their number. null: the part
 * must be parsed at once, because its items may have several lines.
 */
export function outlineListPart(source: string, nextItem: string) {
  const markers = source
    .slice(0, -1)
    .split('\n')
    .map((line) => itemOfOneLine.exec(line)?.[1] ?? '');
  if (!markers.every((marker) => marker.at(-1) === nextItem.at(-1))) return null;
  const start = /\d/.test(nextItem) ? Number.parseInt(source) : null;
  const list: ListBlock = { type: 'list', start, loose: false, items: [] };
  return { list, size: markers.length };
}

/** A list of two parts. Space between two items of either, or between the parts, makes it loose. */
export const joinLists = (one: ListBlock, other: ListBlock): ListBlock => ({
  ...one,
  ...(other.goesOn && { goesOn: true }),
  loose: one.loose || other.loose,
  items: [...one.items, ...other.items],
});

/** The rest of a list behind `size` items, without its own. */
export const listAfter = (list: ListBlock, size: number): ListBlock => ({
  ...list,
  continues: true,
  start: list.start === null ? null : list.start + size,
  items: [],
});

/** A list or a quotation is cut where it has this many characters or children. */
const maxPartLength = 32_768;
const maxPartSize = 500;

export const isLongPart = (length: number, size: number) =>
  length >= maxPartLength || size >= maxPartSize;

/** Cuts a list or a quotation into parts, each long enough for one element. */
export function cutParts<Child extends Token>(children: readonly Child[]) {
  const parts: Child[][] = [[]];
  let length = 0;
  for (const child of children) {
    if (isLongPart(length, parts.at(-1)?.length ?? 0)) {
      parts.push([]);
      length = 0;
    }
    parts.at(-1)?.push(child);
    length += child.raw.length;
  }
  return parts.map((part, at) => ({
    children: part,
    ...(at > 0 && { continues: true }),
    ...(at < parts.length - 1 && { goesOn: true }),
  }));
}
