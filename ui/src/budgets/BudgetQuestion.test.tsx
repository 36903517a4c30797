import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../test/fakeBackend';
import { dollarStop } from '../../test/fixtures/budgetFixtures';
import { backendWith, renderPart } from '../../test/render';
import type { BudgetStop } from '../ipc/bindings';
import { UsageNavigationContext } from '../state/app/usageNavigation';
import { BudgetQuestion } from './BudgetQuestion';

function open(stop: BudgetStop = dollarStop, showCosts = true) {
  const allowOverBudget = vi.fn(() => Promise.resolve(null));
  const view = settingsViewOf({ ...defaultSettings, showCosts });
  const backend = backendWith({ allowOverBudget, settings: () => Promise.resolve(view) });
  const [onAllowed, onDismiss, toUsage] = [vi.fn(() => Promise.resolve()), vi.fn(), vi.fn()];
  const shown = renderPart(
    <UsageNavigationContext value={toUsage}>
      <BudgetQuestion sessionId={1} {...{ stop, onAllowed, onDismiss }} />
    </UsageNavigationContext>,
    backend,
  );
  return { ...shown, allowOverBudget, onAllowed, onDismiss, toUsage };
}

const settles = () => new Promise((resolve) => setTimeout(resolve, 700));
const button = (name: string) => screen.findByRole('button', { name });

it('c04: asks with its numbers, and goes on after a yes to as much again', async () => {
  const { user, allowOverBudget, onAllowed } = open();
  expect(await screen.findByText(/used up\. Used: \$1\.02 of \$1\.00\. Nothing was/)).toBeVisible();
  expect(screen.getByRole('group', { name: 'A budget is used up' })).toBeVisible();
  const another = await button('Allow another $1.00');
  await act(settles);
  await user.click(another);
  expect(allowOverBudget).toHaveBeenCalledExactlyOnceWith(1, dollarStop, 'another');
  await waitFor(() => {
    expect(onAllowed).toHaveBeenCalledOnce();
  });
});

it('c04: a reply and a side question can be sent once, a summary cannot', async () => {
  const { user, allowOverBudget, unmount } = open();
  await act(settles);
  await user.click(await button('Send once'));
  expect(allowOverBudget).toHaveBeenCalledExactlyOnceWith(1, dollarStop, 'once');
  unmount();
  const aside = open({ ...dollarStop, purpose: 'sideQuestion' });
  expect(await screen.findByText(/Your question was not sent/)).toBeVisible();
  expect(await button('Send once')).toBeVisible();
  aside.unmount();
  open({ ...dollarStop, purpose: 'summary' });
  expect(await screen.findByText(/The summary was not requested yet/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Send once' })).toBeNull();
});

it('c04: says that the calls under way may use the budget up, and the limit after a yes', async () => {
  const underWay = { type: 'money', money: { amount: 1.5e12, currency: 'USD' } } as const;
  const { unmount } = open({ ...dollarStop, underWay });
  expect(
    await screen.findByText(
      /under way may use up .* \$1\.50\. .* the limit becomes \$3\.52\. Used/,
    ),
  ).toBeVisible();
  unmount();
  open({ ...dollarStop, underWay }, false);
  expect(
    await screen.findByText(
      /^Requests under way may use up this budget\. What you allow .* cost\. Noth/,
    ),
  ).toBeVisible();
});

it('is put away, or leads to the page of the budgets', async () => {
  const { user, onDismiss, toUsage, allowOverBudget } = open();
  await user.click(await button('Not now'));
  await user.click(await button('Change the budget'));
  expect(onDismiss).toHaveBeenCalledOnce();
  expect(toUsage).toHaveBeenCalledOnce();
  expect(allowOverBudget).not.toHaveBeenCalled();
});

it('has no number of money where costs are switched off', async () => {
  open(dollarStop, false);
  const group = await screen.findByRole('group', { name: 'A budget is used up' });
  expect(await button('Allow as much again')).toBeVisible();
  expect(group).not.toHaveTextContent(/\$|1\.0/);
});
