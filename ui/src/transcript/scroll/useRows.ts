/**
 * The virtual rows of the transcript and its scroll position: at the end while the view sticks to it
 * (stickToBottom.ts), at the scroll target, else where it was, whatever is loaded above or grows below.
 */
import { observeElementRect, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import type { TranscriptItem } from '../../ipc/bindings';
import { charsPerLine, overscanRows } from '../../kit/lists/overscan';
import type { useTranscript } from '../../state/queries/transcriptQuery';
import { isScrolledToEnd, useStickToBottom } from './stickToBottom';
import type { MessageScrollTarget } from './scrollToMatch';

/** The next page is fetched when this many loaded rows are left. */
const prefetchRows = 8;

type RowsOptions = {
  items: readonly TranscriptItem[];
  /** The items reach the end of the thread. */
  toTheEnd: boolean;
  pages: ReturnType<typeof useTranscript>;
  /** The same message again is a new object. */
  scrollTarget: MessageScrollTarget | null;
  /** Rows that stay mounted wherever the view is. */
  pinnedIndexes: readonly number[];
  /** Reports the position after each scroll; null: the view sticks to the end. */
  onReadingPosition: (position: MessageScrollTarget | null) => void;
  onEnd: () => void;
};

export function useRows({
  items,
  toTheEnd,
  pages,
  scrollTarget,
  pinnedIndexes,
  onReadingPosition,
  onEnd,
}: RowsOptions) {
  const {
    scroller,
    isSticky,
    isHeld,
    isSticking,
    setSticking,
    scrollIfSticking,
    handleScroll,
    ...handlers
  } = useStickToBottom(scrollTarget === null);
  // A position that the user comes back to was not the end.
  const [isAtEnd, setAtEnd] = useState(scrollTarget?.top === undefined);
  // The React compiler skips this hook: the virtualizer returns new values from the same object.
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    // The view changes its height as the composer grows and notices come and go.
    observeElementRect: (instance, onRect) =>
      observeElementRect(instance, (rect) => {
        onRect(rect);
        scrollIfSticking();
      }),
    getItemKey: (index) => items[index]?.message.id ?? index,
    estimateSize: (index) => estimateRowHeight(items[index]),
    anchorTo: 'end',
    scrollEndThreshold: isSticky ? 1 : -1,
    rangeExtractor: (range) => {
      const visible = overscanRows(range, (index) => estimateRowHeight(items[index]));
      return [...new Set([...visible, ...pinnedIndexes])].sort((one, other) => one - other);
    },
  });
  const size = rows.getTotalSize();
  const onResize = useEffectEvent(() => {
    scrollIfSticking();
    // A view that does not stick fires no scroll event when rows below it grow.
    if (scroller.current) setAtEnd(isScrolledToEnd(scroller.current));
  });
  useLayoutEffect(() => {
    onResize();
  }, [size, items.length, isHeld]);

  const targetIndex = items.findIndex(({ message }) => message.id === scrollTarget?.messageId);
  const isLoaded = targetIndex >= 0;
  useLayoutEffect(() => {
    setSticking(scrollTarget === null);
    // scrollToMatch.ts scrolls to a match or a position in a row that is mounted already.
    const isPrecise = scrollTarget?.match !== undefined || scrollTarget?.top !== undefined;
    const isMounted =
      isPrecise && rows.getVirtualItems().some(({ index }) => index === targetIndex);
    if (isLoaded && !isMounted) rows.scrollToIndex(targetIndex, { align: 'center' });
    // Only for a new target, or once it is loaded: afterwards the user scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [scrollTarget, isLoaded]);

  // A reading position whose message was deleted shows the end, without an error.
  const isLost = scrollTarget?.top !== undefined && pages.isLoadingError;
  const toTheLast = useEffectEvent(onEnd);
  useEffect(() => {
    if (isLost) toTheLast();
  }, [isLost]);

  usePrefetch(pages, rows.range, items.length);

  return {
    rows,
    scroller,
    isAtEnd: isAtEnd && toTheEnd,
    onScroll: () => {
      const element = scroller.current;
      if (!element) return;
      handleScroll(element, toTheEnd);
      setAtEnd(isScrolledToEnd(element));
      const row = isSticking() ? undefined : rows.getVirtualItemForOffset(element.scrollTop);
      const item = row && items[row.index];
      onReadingPosition(
        item ? { messageId: item.message.id, top: row.start - element.scrollTop } : null,
      );
    },
    /** Scrolls no further than needed: a view at the end that shows the row stays there. */
    toRow: (index: number) => {
      const [offset] = rows.getOffsetForIndex(index) ?? [];
      if (offset !== rows.scrollOffset) setSticking(false);
      rows.scrollToIndex(index);
    },
    ...handlers,
  };
}

/** Fetches the previous and the next page as the view comes near them. */
function usePrefetch(
  pages: ReturnType<typeof useTranscript>,
  range: { startIndex: number; endIndex: number } | null,
  count: number,
) {
  const first = range?.startIndex ?? 0;
  const last = range?.endIndex ?? 0;
  const { hasPreviousPage, fetchPreviousPage, hasNextPage, fetchNextPage } = pages;
  // After an error the user retries (PartialLoadError.tsx).
  const isPaused = pages.isFetching || pages.isError;
  useEffect(() => {
    if (isPaused) return;
    if (first < prefetchRows && hasPreviousPage) void fetchPreviousPage();
    if (last > count - prefetchRows && hasNextPage) void fetchNextPage();
  }, [
    first,
    last,
    count,
    isPaused,
    hasPreviousPage,
    fetchPreviousPage,
    hasNextPage,
    fetchNextPage,
  ]);
}

/** A rough height from the length of the text, in px; mounted rows are measured. */
function estimateRowHeight(item: TranscriptItem | undefined): number {
  const part = item?.message.parts.find(({ type }) => type === 'text');
  const text = part?.type === 'text' ? part.text : '';
  return 72 + Math.ceil(text.length / charsPerLine(text)) * 24;
}
