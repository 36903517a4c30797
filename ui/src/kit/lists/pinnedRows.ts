/**
 * The rows of a virtual list that must stay mounted: the one with the focus, and all from the first to the
 * last of a selection, also those that were never mounted: a copy takes all of them.
 */
import { useEffect, useState, type RefObject } from 'react';
import { holdsFocus, holdsSelection, watchUserHold } from './userHold';

/** The rows by their keys. */
type PinnedRows = { focused: string | null; first: string | null; last: string | null };

const nothing: PinnedRows = { focused: null, first: null, last: null };

/** `name` is the data attribute that has the key of a row. */
export function usePinnedRows(
  list: RefObject<HTMLElement | null>,
  name: 'index' | 'message',
): PinnedRows {
  const [held, setHeld] = useState(nothing);
  useEffect(
    () =>
      watchUserHold(() => {
        const now = findPinnedRows(list.current, name);
        setHeld((before) => (isSamePinned(before, now) ? before : now));
      }),
    [list, name],
  );
  return held;
}

function findPinnedRows(list: HTMLElement | null, name: string): PinnedRows {
  const rows = [...(list?.querySelectorAll<HTMLElement>(`:scope > [data-${name}]`) ?? [])];
  const nameOf = (row: HTMLElement | undefined) => row?.dataset[name] ?? null;
  const selected = rows.filter(holdsSelection);
  return {
    focused: nameOf(rows.find(holdsFocus)),
    first: nameOf(selected[0]),
    last: nameOf(selected.at(-1)),
  };
}

const isSamePinned = (one: PinnedRows, other: PinnedRows) =>
  one.focused === other.focused && one.first === other.first && one.last === other.last;

/** The indexes of the pinned rows. `place` returns the index of a row; negative: it was removed. */
export function pinnedIndexes(
  { focused, first, last }: PinnedRows,
  place: (row: string) => number,
): number[] {
  const there = (rows: readonly (string | null)[]) =>
    rows.flatMap((row) => (row === null ? [] : [place(row)])).filter((at) => at >= 0);
  const ends = there([first, last]);
  const [from = 0, to = from] = ends;
  const selected =
    ends.length === 0 ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return [...there([focused]), ...selected];
}
