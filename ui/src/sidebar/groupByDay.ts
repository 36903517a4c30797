/**
 * Groups sessions by the day of their last message. Pure: the current time is an argument.
 */
import type { SessionItem } from '../ipc/bindings';

export type DayGroup = 'pinned' | 'today' | 'yesterday' | 'week' | 'month' | 'earlier';

export type SessionListRow =
  | { type: 'day'; day: DayGroup }
  /** `position`: from 1, without the headings. */
  | { type: 'session'; session: SessionItem; position: number };

/** The groups and how many days each reaches back, the latest first. */
const dayGroups = [
  ['today', 0],
  ['yesterday', 1],
  ['week', 7],
  ['month', 30],
] as const;

/** Both times in ms since 1970. A day ends at midnight of the local time zone. */
function dayGroupOf(at: number, now: number): DayGroup {
  const today = new Date(now);
  const since = (days: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).getTime();
  return dayGroups.find(([, days]) => at >= since(days))?.[0] ?? 'earlier';
}

/** Keeps the order of the sessions and adds a heading where a new day begins. */
export function groupByDay(sessions: readonly SessionItem[], now: number): SessionListRow[] {
  let previous: DayGroup | null = null;
  return sessions.flatMap((session, index): SessionListRow[] => {
    const day = session.pinned ? 'pinned' : dayGroupOf(session.updatedAt, now);
    const row: SessionListRow = { type: 'session', session, position: index + 1 };
    if (day === previous) return [row];
    previous = day;
    return [{ type: 'day', day }, row];
  });
}
