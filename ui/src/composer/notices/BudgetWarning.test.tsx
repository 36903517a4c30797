import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { dollarReport } from '../../../test/fixtures/budgetFixtures';
import { backendWith, renderPart } from '../../../test/render';
import type { BudgetReport } from '../../ipc/bindings';
import { BudgetWarning } from './BudgetWarning';

function open(report: BudgetReport, showCosts = true) {
  let now = report;
  const dismissBudgetWarning = vi.fn(() => {
    now = { ...report, warning: null };
    return Promise.resolve(null);
  });
  const view = settingsViewOf({ ...defaultSettings, showCosts });
  const backend = backendWith({
    budgets: () => Promise.resolve([now]),
    dismissBudgetWarning,
    settings: () => Promise.resolve(view),
  });
  return { ...renderPart(<BudgetWarning sessionId={1} />, backend), dismissBudgetWarning };
}

it('c04: a line says what is used, until it is dismissed', async () => {
  const report = dollarReport(85);
  const { user, dismissBudgetWarning } = open(report);
  const line = await screen.findByRole('status');
  expect(line).toHaveTextContent('nearly used up. Used: $0.85 of $1.00.');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  const stop = report.gauges[0]?.stop;
  expect(dismissBudgetWarning).toHaveBeenCalledExactlyOnceWith(report.period, stop);
  await waitFor(() => {
    expect(screen.queryByText(/nearly/)).toBeNull();
  });
});

it('says nothing below the share, and of money where costs are switched off', async () => {
  const { container, unmount } = open(dollarReport(50));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(container).not.toHaveTextContent('used');
  unmount();
  const hidden = open(dollarReport(85), false);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hidden.container).not.toHaveTextContent('used');
});
