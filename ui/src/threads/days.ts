/**
 * The sessions under the days on which something was last said in them. Pure: the moment is given.
 */
import type { SessionItem } from '../ipc/bindings';

export type Day = 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'earlier';

export type SessionRow =
  { type: 'day'; day: Day } | { type: 'session'; session: SessionItem; place: number };

/** The days before a moment's own that still have a name of their own, the latest first. */
const named = [
  ['today', 0],
  ['yesterday', 1],
  ['week', 7],
  ['month', 30],
] as const;

/** Both in ms since 1970; a day ends where the person's clock says so. */
function dayOf(at: number, now: number): Day {
  const today = new Date(now);
  const since = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
  return named.find(([, days]) => at >= since(days))?.[0] ?? 'earlier';
}

/** In the order they are given, a heading before each that begins another day. */
export function rowsOf(sessions: readonly SessionItem[], now: number): SessionRow[] {
  let before: Day | null = null;
  return sessions.flatMap((session, at): SessionRow[] => {
    const day = session.pinned ? 'pinned' : dayOf(session.updatedAt, now);
    const row: SessionRow = { type: 'session', session, place: at + 1 };
    if (day === before) return [row];
    before = day;
    return [{ type: 'day', day }, row];
  });
}
