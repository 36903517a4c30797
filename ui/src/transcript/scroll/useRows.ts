/**
 * Which rows of the transcript are in the page, and where it is scrolled to: at its end while that is
 * followed (stickToBottom.ts), at a message that was asked for, and otherwise where it was, whatever is
 * loaded above or grows below.
 */
import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import type { TranscriptItem } from '../../ipc/bindings';
import { charsPerLine, overscanRows } from '../../kit/lists/overscan';
import type { useTranscript } from '../../state/queries/transcriptQuery';
import { isScrolledToEnd, useStickToBottom } from './stickToBottom';
import type { MessageScrollTarget } from './scrollToMatch';

/** So many rows before the last loaded one the next are asked for. */
const prefetchRows = 8;

type RowsOptions = {
  items: readonly TranscriptItem[];
  /** They go on to the end of the thread. */
  toTheEnd: boolean;
  pages: ReturnType<typeof useTranscript>;
  /** The message to go to; the same again is a new object. */
  scrollTarget: MessageScrollTarget | null;
  /** The places of what stays in the page wherever it is scrolled to. */
  pinnedIndexes: readonly number[];
  /** It is read here; null: at its end, which is followed. */
  onReadingPosition: (goal: MessageScrollTarget | null) => void;
  onEnd: () => void;
};

export function useRows({
  items,
  toTheEnd,
  pages,
  scrollTarget,
  pinnedIndexes: kept,
  onReadingPosition,
  onEnd,
}: RowsOptions) {
  const { scroller, pulls, isHeld, isFollowing, follow, pull, scrolled, ...ways } =
    useStickToBottom(scrollTarget === null);
  // What was left elsewhere was not at its end.
  const [isAtEnd, setAtEnd] = useState(scrollTarget?.top === undefined);
  // The compiler leaves this hook alone, which is what it is to do here.
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    // What stands below takes room and gives it back: the box grows, something is said above it.
    observeElementRect: (instance, seen) =>
      observeElementRect(instance, (rect) => {
        seen(rect);
        pull();
      }),
    getItemKey: (index) => items[index]?.message.id ?? index,
    estimateSize: (index) => estimateRowHeight(items[index]),
    anchorTo: 'end',
    // Where the end is not followed, nothing keeps to it.
    scrollEndThreshold: pulls ? 1 : -1,
    rangeExtractor: (range) => {
      const shown = overscanRows(range, (index) => estimateRowHeight(items[index]));
      return [...new Set([...shown, ...kept])].sort((one, other) => one - other);
    },
  });
  const size = rows.getTotalSize();
  const settle = useEffectEvent(() => {
    pull();
    // What grows below who has left the end moves it further away, and nothing scrolls.
    if (scroller.current) setAtEnd(isScrolledToEnd(scroller.current));
  });
  useLayoutEffect(() => {
    settle();
  }, [size, items.length, isHeld]);

  const targetIndex = items.findIndex(({ message }) => message.id === scrollTarget?.messageId);
  const isThere = targetIndex >= 0;
  useLayoutEffect(() => {
    follow(scrollTarget === null);
    // What is looked for in it is scrolled to from where the view is, where the message is in the page
    // already.
    const isSought = scrollTarget?.match !== undefined || scrollTarget?.top !== undefined;
    const isNear = isSought && rows.getVirtualItems().some(({ index }) => index === targetIndex);
    if (isThere && !isNear) rows.scrollToIndex(targetIndex, { align: 'center' });
    // Only when it is asked for, or has come into what is loaded: afterwards the person scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [scrollTarget, isThere]);

  // Who only comes back is not told that what they read is gone.
  const isLost = scrollTarget?.top !== undefined && pages.isLoadingError;
  const toItsEnd = useEffectEvent(onEnd);
  useEffect(() => {
    if (isLost) toItsEnd();
  }, [isLost]);

  const first = rows.range?.startIndex ?? 0;
  const last = rows.range?.endIndex ?? 0;
  const { hasPreviousPage, fetchPreviousPage, hasNextPage, fetchNextPage } = pages;
  // What could not be read is asked for again by the person (PartialLoadError.tsx).
  const isBusy = pages.isFetching || pages.isError;
  useEffect(() => {
    if (isBusy) return;
    if (first < prefetchRows && hasPreviousPage) void fetchPreviousPage();
    if (last > items.length - prefetchRows && hasNextPage) void fetchNextPage();
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
      scrolled(element, toTheEnd);
      setAtEnd(isScrolledToEnd(element));
      const row = isFollowing() ? undefined : rows.getVirtualItemForOffset(element.scrollTop);
      const item = row && items[row.index];
      onReadingPosition(
        item ? { messageId: item.message.id, top: row.start - element.scrollTop } : null,
      );
    },
    /** As far as it has to: who is at the end and sees the row stays there. */
    toRow: (index: number) => {
      const [offset] = rows.getOffsetForIndex(index) ?? [];
      if (offset !== rows.scrollOffset) follow(false);
      rows.scrollToIndex(index);
    },
    ...ways,
  };
}

/** Rough height from the text, wider for Chinese; measured once it is seen. */
function estimateRowHeight(item: TranscriptItem | undefined): number {
  const part = item?.message.parts.find(({ type }) => type === 'text');
  const text = part?.type === 'text' ? part.text : '';
  return 72 + Math.ceil(text.length / charsPerLine(text)) * 24;
}
