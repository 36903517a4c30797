import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import type { UsageGrouping, UsageTotal } from '../../ipc/bindings';
import { UsagePage } from './UsagePage';

const sum: Omit<UsageTotal, 'key'> = {
  calls: 3,
  prompt: 1000,
  cached: 400,
  completion: 200,
  money: [],
  atLeast: 0,
  unknown: 0,
  notBilled: 0,
};
const totals: Partial<Record<UsageGrouping, UsageTotal[]>> = {
  day: [
    {
      ...sum,
      key: { type: 'day', day: '2026-11-24' },
      money: [
        { amount: 5e12, currency: 'CNY' },
        { amount: 25e11, currency: 'USD' },
      ],
    },
    { ...sum, key: { type: 'day', day: '2026-11-23' }, unknown: 2, notBilled: 1 },
  ],
  session: [{ ...sum, key: { type: 'session', session: 7, name: null, isDeleted: true } }],
};

function Page() {
  const [settings, setSettings] = useState(defaultSettings);
  return (
    <UsagePage
      session={null}
      settings={settings}
      save={(change) => {
        setSettings(change);
      }}
    />
  );
}

function open(showCosts = true) {
  const usageTotals = vi.fn((by: UsageGrouping) => Promise.resolve(totals[by] ?? []));
  const exportUsage = vi.fn(() => Promise.resolve(null));
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  const backend = backendWith({
    usageTotals,
    exportUsage,
    budgets: () => Promise.resolve([]),
    settings: () => Promise.resolve(settings),
  });
  backend.desktop.pickTarget = () => Promise.resolve('/home/ada/usage.csv');
  return { ...renderPart(<Page />, backend), usageTotals, exportUsage };
}

const cells = (row: HTMLElement | undefined) =>
  within(row ?? document.body)
    .getAllByRole('cell')
    .map((it) => it.textContent);

it('lists each day with its tokens and the sum of each currency for itself', async () => {
  open();
  const rows = within(await screen.findByRole('table', { name: 'Usage' })).getAllByRole('row');
  await waitFor(() => {
    expect(cells(rows[1])).toEqual(['3', '1,000', '400', '200', 'CN¥5.00$2.50']);
  });
  expect(cells(rows[2]).at(-1)).toBe('2 requests of unknown cost1 request not billed');
});

it('adds up by what is chosen, and keeps what a deleted session used', async () => {
  const { user, usageTotals } = open();
  await user.click(await screen.findByRole('combobox', { name: 'Added up by' }));
  await user.click(await screen.findByRole('option', { name: 'Session' }));
  expect(await screen.findByRole('rowheader', { name: 'A deleted session' })).toBeVisible();
  expect(usageTotals).toHaveBeenLastCalledWith('session', expect.any(Number));
});

it('writes the table into the file that is chosen', async () => {
  const { user, exportUsage } = open();
  await user.click(await screen.findByRole('button', { name: 'Export as CSV…' }));
  await waitFor(() => {
    expect(exportUsage).toHaveBeenCalledExactlyOnceWith('/home/ada/usage.csv');
  });
});

it('says nothing of money where costs are switched off', async () => {
  open(false);
  const table = await screen.findByRole('table', { name: 'Usage' });
  expect(table).not.toHaveTextContent(/Cost|\$|¥|unknown/);
});
