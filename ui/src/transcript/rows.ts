/**
 * Which rows of the transcript are in the page, and where it is scrolled to: at its end while the
 * person is there, at a message that was asked for, and otherwise where it was, whatever is loaded
 * above or grows below.
 */
import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { TranscriptItem } from '../ipc/bindings';
import { lettersInLine, nearRows } from '../kit/nearRows';
import type { useTranscript } from '../state/transcript';
import type { Goal } from './seeking';

/** So many px from its end are still its end. */
export const atTheEnd = 48;

/**
 * So many ms after somebody was led to the end, a key from before may still move it: WebKit scrolls smoothly.
 */
const carriedOn = 300;

/** By so many px, and no more, rows that are measured anew leave the view above its end. */
const measuredAnew = 8;

/** The keys that scroll upward. */
const upwards: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

type KeyDown = { key: string; shiftKey: boolean; target: EventTarget };

/** So many rows before the last loaded one the next are asked for. */
const ahead = 8;

/** So many px of it are below what is in view. */
export const below = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight;

type RowsOf = {
  items: readonly TranscriptItem[];
  /** They go on to the end of the thread. */
  toTheEnd: boolean;
  pages: ReturnType<typeof useTranscript>;
  /** The message to go to; the same again is a new object. */
  spot: Goal | null;
  /** The places of what stays in the page wherever it is scrolled to. */
  kept: readonly number[];
  /** It is read here; null: at its end, which is followed. */
  onReading: (goal: Goal | null) => void;
  onEnd: () => void;
};

export function useRows({ items, toTheEnd, pages, spot, kept, onReading, onEnd }: RowsOf) {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(spot === null);
  const top = useRef(0);
  /** When somebody was led to the end, and has not moved the wheel since. */
  const ledToEnd = useRef(-Infinity);
  // What was left elsewhere was not at its end.
  const [isAtEnd, setAtEnd] = useState(spot?.top === undefined);
  // The compiler leaves this hook alone, which is what it is to do here.
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    // What stands below takes room and gives it back: the box grows, something is said above it.
    observeElementRect: (instance, seen) =>
      observeElementRect(instance, (rect) => {
        seen(rect);
        const element = scroller.current;
        if (element && following.current) element.scrollTop = element.scrollHeight;
      }),
    getItemKey: (index) => items[index]?.message.id ?? index,
    estimateSize: (index) => estimate(items[index]),
    anchorTo: 'end',
    rangeExtractor: (range) => {
      const shown = nearRows(range, (index) => estimate(items[index]));
      return [...new Set([...shown, ...kept])].sort((one, other) => one - other);
    },
  });
  const size = rows.getTotalSize();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (following.current) element.scrollTop = element.scrollHeight;
    // What grows below who has left the end moves it further away, and nothing scrolls.
    else setAtEnd(below(element) < atTheEnd);
  }, [size, items.length]);

  const goal = items.findIndex(({ message }) => message.id === spot?.messageId);
  const isThere = goal >= 0;
  useLayoutEffect(() => {
    following.current = spot === null;
    // What is looked for in it is scrolled to from where the view is, where the message is in the page
    // already.
    const isSought = spot?.sought !== undefined || spot?.top !== undefined;
    const isNear = isSought && rows.getVirtualItems().some(({ index }) => index === goal);
    if (isThere && !isNear) rows.scrollToIndex(goal, { align: 'center' });
    // Only when it is asked for, or has come into what is loaded: afterwards the person scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [spot, isThere]);

  // Who only comes back is not told that what they read is gone.
  const isLost = spot?.top !== undefined && pages.isLoadingError;
  const toItsEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (isLost) toItsEnd();
  }, [isLost]);

  const first = rows.range?.startIndex ?? 0;
  const last = rows.range?.endIndex ?? 0;
  const { hasPreviousPage, fetchPreviousPage, hasNextPage, fetchNextPage } = pages;
  // What could not be read is asked for again by the person (Unread.tsx).
  const isBusy = pages.isFetching || pages.isError;
  useEffect(() => {
    if (isBusy) return;
    if (first < ahead && hasPreviousPage) void fetchPreviousPage();
    if (last > items.length - ahead && hasNextPage) void fetchNextPage();
  }, [
    first,
    last,
    items.length,
    isBusy,
    hasPreviousPage,
    fetchPreviousPage,
    hasNextPage,
    fetchNextPage,
  ]);

  return {
    rows,
    scroller,
    isAtEnd: isAtEnd && toTheEnd,
    onScroll: () => {
      const element = scroller.current;
      if (!element) return;
      // Whoever leaves the end goes up, and who comes back goes down. What else moves it away, as it grows
      // or gives room to what stands below, is followed in a moment.
      const moved = element.scrollTop - top.current;
      top.current = element.scrollTop;
      if (moved < 0 && below(element) > 1) {
        const isRest = performance.now() - ledToEnd.current < carriedOn;
        // Rows that are measured anew keep their place by themselves, which leaves the end some px below. The
        // wheel and the keys say themselves that somebody goes up.
        const isNear = following.current && below(element) < measuredAnew;
        if (!isRest && !isNear) following.current = false;
      }
      // Who is at the end of what was read of a longer thread follows only what was followed before.
      else if (moved !== 0 && below(element) < atTheEnd) following.current ||= toTheEnd;
      if (following.current && below(element) > 1) element.scrollTop = element.scrollHeight;
      setAtEnd(below(element) < atTheEnd);
      const row = following.current ? undefined : rows.getVirtualItemForOffset(element.scrollTop);
      const item = row && items[row.index];
      onReading(item ? { messageId: item.message.id, top: row.start - element.scrollTop } : null);
    },
    /** The wheel moves it over several frames, and what grows meanwhile would take each of them back. */
    onWheel: ({ deltaY }: { deltaY: number }) => {
      ledToEnd.current = -Infinity;
      if (deltaY < 0 && top.current > 0) following.current = false;
    },
    /** So do the keys that go up, where they are not those of a field. */
    onKeyDown: ({ key, shiftKey, target }: KeyDown) => {
      const goesUp = upwards.has(key) || (key === ' ' && shiftKey);
      const inField = target instanceof Element && target.matches('input, textarea, select');
      if (!goesUp || inField) return;
      ledToEnd.current = -Infinity;
      if (top.current > 0) following.current = false;
    },
    /** As far as it has to: who is at the end and sees the row stays there. */
    toRow: (index: number) => {
      const [offset] = rows.getOffsetForIndex(index) ?? [];
      if (offset !== rows.scrollOffset) following.current = false;
      rows.scrollToIndex(index);
    },
    toEnd: () => {
      following.current = true;
      ledToEnd.current = performance.now();
      const element = scroller.current;
      if (element) element.scrollTop = element.scrollHeight;
    },
  };
}

/** Rough height from the text, wider for Chinese; measured once it is seen. */
function estimate(item: TranscriptItem | undefined): number {
  const part = item?.message.parts.find(({ type }) => type === 'text');
  const text = part?.type === 'text' ? part.text : '';
  return 72 + Math.ceil(text.length / lettersInLine(text)) * 24;
}
