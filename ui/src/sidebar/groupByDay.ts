/**
 * The sessions under the days on which something was last said in them. Pure: the moment is given.
 */
import type { SessionItem } from '../ipc/bindings';

export type DayGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'earlier';

export type SessionListRow =
  { type: 'day'; day: DayGroup } | { type: 'session'; session: SessionItem; place: number };

/** The days before a moment's own that still have a name of their own, the latest first. */
const dayGroups = [
  ['today', 0],
  ['yesterday', 1],
  ['week', 7],
  ['month', 30],
] as const;

/** Both in ms since 1970; a day ends where the person's clock says so. */
function dayGroupOf(at: number, now: number): DayGroup {
  const today = new Date(now);
  const since = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
  return dayGroups.find(([, days]) => at >= since(days))?.[0] ?? 'earlier';
}

/** In the order they are given, a heading before each that begins another day. */
export function groupByDay(sessions: readonly SessionItem[], now: number): SessionListRow[] {
  let before: DayGroup | null = null;
  return sessions.flatMap((session, at): SessionListRow[] => {
    const day = session.pinned ? 'pinned' : dayGroupOf(session.updatedAt, now);
    const row: SessionListRow = { type: 'session', session, place: at + 1 };
    if (day === before) return [row];
    before = day;
    return [{ type: 'day', day }, row];
  });
}
