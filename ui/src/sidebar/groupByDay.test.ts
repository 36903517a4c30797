import { expect, it } from 'vitest';
import { idleSessionItem } from '../../test/fixtures/conversationFixtures';
import { groupByDay } from './groupByDay';

const now = new Date(2026, 2, 30, 9).getTime();
const session = (id: number, at: Date, pinned = false) => ({
  ...idleSessionItem,
  id,
  pinned,
  updatedAt: at.getTime(),
});

it('puts sessions under their days, as the person’s clock counts them, and pinned ones before', () => {
  const sessions = [
    session(1, new Date(2020, 0, 1), true),
    session(2, new Date(2026, 2, 30, 23)),
    session(3, new Date(2026, 2, 30, 0, 0)),
    session(4, new Date(2026, 2, 29, 23, 59)),
    session(5, new Date(2026, 2, 28, 23, 59)),
    session(6, new Date(2026, 2, 23)),
    session(7, new Date(2026, 2, 22, 23, 59)),
    session(8, new Date(2026, 1, 27, 23, 59)),
  ];
  const rows = groupByDay(sessions, now).map((row) =>
    row.type === 'day' ? row.day : `${String(row.position)}: ${String(row.session.id)}`,
  );
  expect(rows).toEqual([
    'pinned',
    '1: 1',
    'today',
    '2: 2',
    '3: 3',
    'yesterday',
    '4: 4',
    'week',
    '5: 5',
    '6: 6',
    'month',
    '7: 7',
    'earlier',
    '8: 8',
  ]);
  expect(groupByDay([], now)).toEqual([]);
});
