/**
 * The virtual list of all sessions: only the rows near the viewport and the row with the focus are mounted.
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

/** Estimated heights of a session and of a day's heading, in px; mounted rows are measured. */
const lineHeight = 32;
const dayHeight = 28;

const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

type SessionListProps = {
  open: SessionId | null;
  onOpen: (session: SessionId) => void;
  onOverlay: (opened: SessionOverlay) => void;
  selection: MultiSelect;
};

export function SessionList({ open, onOpen, onOverlay, selection }: SessionListProps) {
  const text = useText();
  const { data: sessions } = useSessions();
  const today = useToday();
  const { selected, select } = selection;
  const rows = useMemo(() => groupByDay(sessions ?? [], today), [sessions, today]);
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<SessionId | null>(null);
  const focusedIndex = rows.findIndex(
    (row) => row.type === 'session' && row.session.id === focused,
  );
  // The React compiler skips this component: the virtualizer returns new values from the same object.
  // eslint-disable-next-line react-hooks/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => {
      const row = rows[index];
      return row?.type === 'session' ? row.session.id : (row?.day ?? index);
    },
    estimateSize: (index) => (rows[index]?.type === 'day' ? dayHeight : lineHeight),
    // The arrow keys move the focus to mounted rows only.
    overscan: 10,
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range);
      const isIncluded = focusedIndex < 0 || visible.includes(focusedIndex);
      const all = isIncluded ? visible : [...visible, focusedIndex];
      return all.sort((one, other) => one - other);
    },
  });
  const openIndex = rows.findIndex((row) => row.type === 'session' && row.session.id === open);
  const isListed = openIndex >= 0;
  const scrollToOpen = useEffectEvent(() => {
    list.scrollToIndex(openIndex, { align: 'auto' });
  });
  // A session that opens scrolls into view; when it moves in the list later, the list does not scroll.
  useEffect(() => {
    if (isListed) scrollToOpen();
  }, [open, isListed]);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key];
    const link = event.target instanceof Element && event.target.closest('a');
    if (by === undefined || !link) return;
    event.preventDefault();
    let index = focusedIndex + by;
    while (rows[index]?.type === 'day') index += by;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus();
  };
  return (
    <div ref={scroller} className="Sidebar-list">
      {/* The rows are links; the arrow keys move the focus between them. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul className="Sidebar-rows" onKeyDown={onKeyDown} style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ key, index, start }) => {
          const row = rows[index];
          const rowProps = {
            ref: list.measureElement,
            'data-index': index,
            className: 'Sidebar-row',
            style: { transform: `translateY(${start}px)` },
          };
          if (row?.type !== 'session') {
            return (
              <li key={key} {...rowProps}>
                {row && <h2 className="Sidebar-day">{text(`threads.day_${row.day}`)}</h2>}
              </li>
            );
          }
          const { id } = row.session;
          return (
            // The handlers only track the focus.
            // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li
              key={key}
              {...rowProps}
              aria-posinset={row.position}
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
                selected={selected.length === 0 ? null : selected.includes(id)}
                onSelect={select}
                {...{ onOpen, onOverlay }}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
