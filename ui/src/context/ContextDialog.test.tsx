import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { Breakdown, Estimate, HealthSnapshot } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { plainHealth } from '../ipc/plainHealth';
import { ContextDialog } from './ContextDialog';

const breakdown: Breakdown = {
  mode: { type: 'estimated' },
  assumed: false,
  window: 8_000,
  over: 0,
  rows: [],
};

it('has words where the breakdown will stand, and where it could not be made', async () => {
  let answer: (made: Breakdown) => void = () => undefined;
  const making = new Promise<Breakdown>((resolve) => {
    answer = resolve;
  });
  const dialog = <ContextDialog view={plainSession} threadId={1} onClose={() => undefined} />;
  const { unmount } = show(dialog, answering({ breakdown: () => making }));
  expect(await screen.findByText('Loading…')).toBeInTheDocument();
  answer(breakdown);
  expect(await screen.findByRole('table', { name: 'Context breakdown' })).toBeInTheDocument();
  await waitFor(() => {
    expect(screen.queryByText('Loading…')).toBeNull();
  });
  unmount();
  const locked = () => Promise.reject(Object.assign(new Error(), { kind: 'noModel' }));
  show(dialog, answering({ breakdown: locked }));
  expect(await screen.findByText(/No model is chosen/)).toBeInTheDocument();
});

it('shows no figure, and no switch turned, before they are known', async () => {
  let answer: (estimate: Estimate) => void = () => undefined;
  const estimating = new Promise<Estimate>((resolve) => {
    answer = resolve;
  });
  show(
    <ContextDialog view={plainSession} threadId={1} onClose={() => undefined} />,
    answering({ estimate: () => estimating }),
  );
  const rows = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);
  const auto = () => screen.getByRole('switch', { name: 'Auto-compaction (this session)' });
  await screen.findByRole('dialog');
  expect(rows()).toEqual(['…', '…', '…']);
  expect(auto()).toBeChecked();
  expect(auto()).toBeDisabled();
  answer({
    used: { tokens: 820, basis: 'exact' },
    window: { value: 8_200, source: 'provider' },
    spread: null,
    actsAt: null,
    model: plainSession.model,
  });
  await waitFor(() => {
    expect(rows()).toEqual([
      '820 tokens (counted exactly)',
      '8,200 tokens (said by the provider)',
      '10.0%',
    ]);
  });
  expect(auto()).toBeEnabled();
});

it('says that the last report tells of this context no more, where that is so', async () => {
  const { latest } = plainHealth;
  const reported: HealthSnapshot = { ...latest, level: 'critical', prompt: 7_900 };
  const healthHistory = vi.fn(() => Promise.resolve([{ at: 0, health: reported, cached: null }]));
  const health = (now: HealthSnapshot) => {
    const view = { ...plainHealth, latest: now };
    return answering({ health: () => Promise.resolve(view), healthHistory });
  };
  const dialog = <ContextDialog view={plainSession} threadId={1} onClose={() => undefined} />;
  const forgotten = /tells of this context no more/;
  const { person, unmount } = show(dialog, health(reported));
  const chart = await screen.findByRole('button', { name: 'Health of this thread' });
  expect(healthHistory).not.toHaveBeenCalled();
  await person.click(chart);
  expect(await screen.findByRole('img', { name: /7,900 tokens/ })).toBeInTheDocument();
  expect(screen.queryByText(forgotten)).toBeNull();
  unmount();
  show(dialog, health(latest));
  await person.click(await screen.findByRole('button', { name: 'Health of this thread' }));
  expect(await screen.findByText(forgotten)).toBeInTheDocument();
});

it('says of a number how it was come by: how far an estimate may be off, and what is no report', async () => {
  const of = (estimate: Pick<Estimate, 'used' | 'spread'>) => {
    const rest = { window: null, actsAt: null, model: plainSession.model };
    const mode = { type: 'reported', total: 900, cached: null } as const;
    return show(
      <ContextDialog view={plainSession} threadId={1} onClose={() => undefined} />,
      answering({
        estimate: () => Promise.resolve({ ...estimate, ...rest }),
        breakdown: () => Promise.resolve({ ...breakdown, mode }),
      }),
    );
  };
  const { unmount } = of({ used: { tokens: 820, basis: 'calibrated' }, spread: 6 });
  expect(await screen.findByText('(estimated, ± 6%)')).toBeInTheDocument();
  expect(await screen.findByText('900 tokens, reported by the provider')).toBeInTheDocument();
  expect(screen.getByText('How they divide is estimated.')).toBeInTheDocument();
  unmount();
  of({ used: { tokens: 820, basis: 'borrowed' }, spread: null });
  expect(
    await screen.findByText('(estimated, not yet compared with a report)'),
  ).toBeInTheDocument();
});
