/**
 * Which messages somebody holds: the one with the focus, and from the first to the last of a selection,
 * also those between that were never in the page: what is copied is all of it.
 */
import { useEffect, useState, type RefObject } from 'react';
import type { MessageId, TranscriptItem } from '../ipc/bindings';
import { holdsFocus, holdsSelection, watchHeld } from '../markdown/held';

type Held = { focused: MessageId | null; first: MessageId | null; last: MessageId | null };

const nothing: Held = { focused: null, first: null, last: null };

export function useHeld(list: RefObject<HTMLElement | null>): Held {
  const [held, setHeld] = useState(nothing);
  useEffect(
    () =>
      watchHeld(() => {
        const now = heldIn(list.current);
        setHeld((before) => (isSame(before, now) ? before : now));
      }),
    [list],
  );
  return held;
}

function heldIn(list: HTMLElement | null): Held {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-message]') ?? [])];
  const selected = rows.filter(holdsSelection);
  return {
    focused: idOf(rows.find(holdsFocus)),
    first: idOf(selected[0]),
    last: idOf(selected.at(-1)),
  };
}

const idOf = (row: HTMLElement | undefined) => (row ? Number(row.dataset.message) : null);

const isSame = (one: Held, other: Held) =>
  one.focused === other.focused && one.first === other.first && one.last === other.last;

/** The places of what stays in the page. */
export function placesOf(
  { focused, first, last }: Held,
  editing: MessageId | null,
  items: readonly TranscriptItem[],
): number[] {
  const place = (id: MessageId | null) =>
    id === null ? -1 : items.findIndex(({ message }) => message.id === id);
  const ends = [first, last].map(place).filter((at) => at >= 0);
  const [from = 0, to = from] = ends;
  const selected =
    ends.length === 0 ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return [place(focused), place(editing), ...selected].filter((at) => at >= 0);
}
