/**
 * A list of any length that scrolls in itself: in the page are the rows near its view and those somebody
 * holds; what is far leaves its height. One of a few screens is in the page whole, so that all of it
 * can be selected at once.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type ReactNode } from 'react';
import { pinnedIndexes, usePinnedRows } from './pinnedRows';
import { overscanRows } from './overscan';
import './VirtualList.css';

/** Up to this height all rows are in the page, in px. */
const renderAllBelowPx = 12_000;

type VirtualListProps<Row> = {
  /** Its accessible name: the keys scroll it once it has the focus. */
  label: string;
  rows: readonly Row[];
  /** Roughly how high a row is, in px, until it was seen; the same function every time. */
  height: (row: Row) => number;
  children: (row: Row, at: number) => ReactNode;
};

export function VirtualList<Row>({ label, rows, height, children }: VirtualListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const held = usePinnedRows(list, 'index');
  const heights = useMemo(() => rows.map(height), [rows, height]);
  const isShort = useMemo(
    () => heights.reduce((sum, px) => sum + px, 0) <= renderAllBelowPx,
    [heights],
  );
  const heightAt = (at: number) => heights[at] ?? 0;
  // The compiler leaves this hook alone, which is what it is to do here.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: heightAt,
    rangeExtractor: (view) => {
      if (isShort) return [...rows.keys()];
      const kept = pinnedIndexes(held, Number).filter((at) => at < view.count);
      return [...new Set([...overscanRows(view, heightAt), ...kept])].sort(
        (one, other) => one - other,
      );
    },
  });
  return (
    <div
      ref={scroller}
      className="LongList"
      role="group"
      aria-label={label}
      // Where nothing in it can be focused, the arrows still scroll it.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <ol ref={list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(row, index)}
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}
