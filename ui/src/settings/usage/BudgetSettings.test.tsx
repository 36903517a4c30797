import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { dollarReport } from '../../../test/fixtures/budgetFixtures';
import { backendWith, renderPart } from '../../../test/render';
import type { Budget } from '../../ipc/bindings';
import { BudgetSettings } from './BudgetSettings';

const dollar: Budget = {
  scope: 'session',
  limit: { type: 'money', amount: '1', currency: 'USD', unpricedTokens: 1_000_000 },
  warnAt: 80,
};

type PageProps = { budgets: Budget[]; onSave: (budgets: readonly Budget[]) => void };

function Page({ budgets, onSave }: PageProps) {
  const [settings, setSettings] = useState({ ...defaultSettings, budgets });
  return (
    <BudgetSettings
      session={1}
      settings={settings}
      save={(change) => {
        const changed = change(settings);
        onSave(changed.budgets);
        setSettings(changed);
      }}
    />
  );
}

function open(budgets: Budget[], showCosts = true, report = dollarReport(85)) {
  const view = settingsViewOf({ ...defaultSettings, showCosts, budgets });
  const backend = backendWith({
    budgets: () => Promise.resolve([report]),
    settings: () => Promise.resolve(view),
  });
  const onSave = vi.fn<PageProps['onSave']>();
  return { ...renderPart(<Page {...{ budgets, onSave }} />, backend), onSave };
}

it('c04: shows what is used of a budget and changes its limit', async () => {
  const { user, onSave } = open([dollar]);
  const row = await screen.findByRole('region', { name: 'Each session' });
  expect(await within(row).findByText('Used: $0.85 of $1.00.')).toBeVisible();
  const limit = within(row).getByRole('textbox', { name: 'Limit' });
  await user.clear(limit);
  await user.type(limit, '0{Enter}');
  expect(onSave).not.toHaveBeenCalled();
  expect(row).toHaveTextContent('A limit is a number above 0');
  await user.clear(limit);
  await user.type(limit, '2,5{Enter}');
  const changed = { ...dollar, limit: { ...dollar.limit, amount: '2.5' } };
  expect(onSave).toHaveBeenLastCalledWith([changed]);
  await user.click(within(row).getByRole('button', { name: 'Remove' }));
  expect(onSave).toHaveBeenLastCalledWith([]);
});

it.each([
  [0, 'How much of $1.00 is used is unknown.'],
  [85, 'Used: at least $0.85 of $1.00.'],
])('c04: says that calls of unknown cost are in no amount: %s cents', async (cents, words) => {
  const tokens = (count: number) => ({ type: 'unpricedTokens', tokens: count }) as const;
  const [spent, limit] = [tokens(7_000), tokens(10_000)];
  const report = dollarReport(cents);
  const unpriced = { spent, limit, stop: limit, level: 'within' } as const;
  open([dollar], true, { ...report, gauges: [...report.gauges, unpriced] });
  const row = await screen.findByRole('region', { name: 'Each session' });
  expect(await within(row).findByText(words)).toBeVisible();
  expect(row).toHaveTextContent('Used: 7,000 of 10,000 tokens of unknown cost.');
});

it('adds a budget of each kind once', async () => {
  const { user, onSave } = open([]);
  const add = await screen.findByRole('button', { name: 'Add a budget' });
  await screen.findByRole('combobox', { name: 'Counted in' });
  await user.click(add);
  const added = onSave.mock.lastCall?.[0];
  expect(added).toMatchObject([{ scope: 'day', limit: { type: 'money', currency: 'USD' } }]);
  expect(add).toBeDisabled();
  expect(screen.getByText(/There is already a budget of this kind/)).toBeVisible();
});

it('has no amount of money where costs are switched off', async () => {
  open([dollar], false);
  const row = await screen.findByRole('region', { name: 'Each session' });
  expect(await within(row).findByText(/The budget still holds/)).toBeVisible();
  expect(row).not.toHaveTextContent(/\$|USD/);
  expect(within(row).queryByRole('textbox')).toBeNull();
});
