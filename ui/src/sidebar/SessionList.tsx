/**
 * All sessions, however many: only those near the view are in the page, and the one that holds the
 * focus.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { useSessions } from '../state/queries/queries';
import { groupByDay } from './groupByDay';
import type { MultiSelect } from './multiSelect';
import { SessionRow } from './SessionRow';
import type { SessionOverlay } from './session/SessionOverlays';
import { useToday } from '../state/hooks/useToday';
import './Sidebar.css';

/** A line and a heading in px, until they are seen. */
const lineHeight = 32;
const dayHeight = 28;

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

type SessionListProps = {
  open: SessionId | null;
  onOpen: (session: SessionId) => void;
  onOverlay: (opened: SessionOverlay) => void;
  marking: MultiSelect;
};

export function SessionList({ open, onOpen, onOverlay, marking }: SessionListProps) {
  const text = useText();
  const { data: sessions } = useSessions();
  const today = useToday();
  const { marked, mark } = marking;
  const rows = useMemo(() => groupByDay(sessions ?? [], today), [sessions, today]);
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<SessionId | null>(null);
  const kept = rows.findIndex((row) => row.type === 'session' && row.session.id === focused);
  // The compiler leaves this component alone, which is what it is to do here.
  // eslint-disable-next-line react-hooks/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => {
      const row = rows[index];
      return row?.type === 'session' ? row.session.id : (row?.day ?? index);
    },
    estimateSize: (index) => (rows[index]?.type === 'day' ? dayHeight : lineHeight),
    // So far the focus can step at once.
    overscan: 10,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      const all = kept < 0 || near.includes(kept) ? near : [...near, kept];
      return all.sort((one, other) => one - other);
    },
  });
  const opened = rows.findIndex((row) => row.type === 'session' && row.session.id === open);
  const isListed = opened >= 0;
  const toOpened = useEffectEvent(() => {
    list.scrollToIndex(opened, { align: 'auto' });
  });
  // The one that is open is seen, however it was opened; where it moves to later, it is let go.
  useEffect(() => {
    if (isListed) toOpened();
  }, [open, isListed]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key];
    const line = event.target instanceof Element && event.target.closest('a');
    if (by === undefined || !line) return;
    event.preventDefault();
    let at = kept + by;
    while (rows[at]?.type === 'day') at += by;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${at}"] a`)?.focus();
  };
  return (
    <div ref={scroller} className="Sidebar-list">
      {/* Its lines are links; the arrows only step among them. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul className="Sidebar-rows" onKeyDown={onKeyDown} style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          const place = {
            ref: list.measureElement,
            'data-index': index,
            className: 'Sidebar-row',
            style: { transform: `translateY(${start}px)` },
          };
          if (row?.type !== 'session') {
            return (
              <li key={key} {...place}>
                {row && <h2 className="Sidebar-day">{text(`threads.day_${row.day}`)}</h2>}
              </li>
            );
          }
          const { id } = row.session;
          return (
            // It only hears where the focus is.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={key}
              {...place}
              aria-posinset={row.place}
              aria-setsize={sessions?.length}
              onFocus={() => {
                setFocused(id);
              }}
              onBlur={() => {
                setFocused(null);
              }}
            >
              <SessionRow
                session={row.session}
                open={id === open}
                marked={marked.length === 0 ? null : marked.includes(id)}
                onMark={mark}
                {...{ onOpen, onOverlay }}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
