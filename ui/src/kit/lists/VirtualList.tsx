/**
 * A scrolling list of any length. Mounted are the rows near the view and those that the user holds
 * (pinnedRows.ts). A list of a few screens is mounted completely, so that all of it can be selected.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type ReactNode } from 'react';
import { pinnedIndexes, usePinnedRows } from './pinnedRows';
import { overscanRows } from './overscan';
import './VirtualList.css';

/** Up to this total height all rows are mounted, in px. */
const renderAllBelowPx = 12_000;

type VirtualListProps<Row> = {
  /** The accessible name: the list can have the focus, for the keys to scroll it. */
  label: string;
  rows: readonly Row[];
  /** The estimated height of a row, in px; mounted rows are measured. A stable function. */
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
  // The React compiler skips this component: the virtualizer returns new values from the same object.
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
      // Focusable, so that the arrow keys scroll it.
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
