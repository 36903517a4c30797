/**
 * Which rows of the transcript are in the page, and where it is scrolled to: at its end while the
 * person is there, at a message that was asked for, and otherwise where it was, whatever is loaded
 * above or grows below.
 */
import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { TranscriptItem } from '../ipc/bindings';
import { lettersInLine, nearRows } from '../kit/nearRows';
import type { useTranscript } from '../state/transcript';
import type { Goal } from './seeking';

/** So many px from its end are still its end. */
const atTheEnd = 48;

/** So many rows before the last loaded one the next are asked for. */
const ahead = 8;

type RowsOf = {
  items: readonly TranscriptItem[];
  /** They go on to the end of the thread. */
  toTheEnd: boolean;
  pages: ReturnType<typeof useTranscript>;
  /** The message to go to; the same again is a new object. */
  spot: Goal | null;
  /** The places of what stays in the page wherever it is scrolled to. */
  kept: readonly number[];
};

export function useRows({ items, toTheEnd, pages, spot, kept }: RowsOf) {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(spot === null);
  const top = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);
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
    if (element && following.current) element.scrollTop = element.scrollHeight;
  }, [size, items.length]);

  const goal = items.findIndex(({ message }) => message.id === spot?.messageId);
  const isThere = goal >= 0;
  useLayoutEffect(() => {
    following.current = spot === null;
    // Its words are scrolled to from where the view is, where the message is in the page already.
    const isNear = spot?.sought && rows.getVirtualItems().some(({ index }) => index === goal);
    if (isThere && !isNear) rows.scrollToIndex(goal, { align: 'center' });
    // Only when it is asked for, or has come into what is loaded: afterwards the person scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [spot, isThere]);

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
      const below = element.scrollHeight - element.scrollTop - element.clientHeight;
      // Whoever leaves the end goes up. What else moves it away, as it grows or gives room to what stands
      // below, is followed in a moment.
      const goesUp = element.scrollTop < top.current;
      top.current = element.scrollTop;
      // Who is at the end of what was read of a longer thread follows only what was followed before.
      following.current =
        below < atTheEnd ? following.current || toTheEnd : following.current && !goesUp;
      setAtEnd(below < atTheEnd);
    },
    /** As far as it has to: who is at the end and sees the row stays there. */
    toRow: (index: number) => {
      const [offset] = rows.getOffsetForIndex(index) ?? [];
      if (offset !== rows.scrollOffset) following.current = false;
      rows.scrollToIndex(index);
    },
    toEnd: () => {
      following.current = true;
      const element = scroller.current;
      if (element) element.scrollTop = element.scrollHeight;
    },
  };
}

/** Rough height from the text, wider for Chinese; measured once it is seen. */
function estimate(item: TranscriptItem | undefined): number {
  const part = item?.message.parts.find(({ type }) => type === 'text');
  const text = part?.type === 'text' ? part.text : '';
  return 64 + Math.ceil(text.length / lettersInLine(text)) * 24;
}
