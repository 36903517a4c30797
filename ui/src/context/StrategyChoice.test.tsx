import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { StrategyNumbers } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { answering, show } from '../../test-show';
import { StrategyChoice } from './StrategyChoice';

const numbers: StrategyNumbers = {
  model: { provider: 'p', model: 'weaver-1' },
  summarizeAbove: 40_800,
  remindAbove: 80_000,
  countDownAbove: 90_000,
  archiveAbove: 95_000,
  takesTools: true,
  global: 'archive',
};

function open(changed: Partial<StrategyNumbers>) {
  const setOverrides = vi.fn(() => Promise.resolve(null));
  const backend = answering({
    strategies: () => Promise.resolve({ ...numbers, ...changed }),
    setOverrides,
  });
  const view = { ...plainSession, strategy: 'remind' as const };
  return { setOverrides, ...show(<StrategyChoice view={view} />, backend) };
}

const says = (name: string) => screen.getByRole('radio', { name });

it('says what each strategy would do in the numbers of the model', async () => {
  open({});
  expect(
    await screen.findByRole('radio', { name: 'Follow global: Archive and start anew' }),
  ).toBeChecked();
  expect(says('Summarise')).toHaveAccessibleDescription(/^Above 40,800 tokens the older/);
  expect(says('Remind the model')).toHaveAccessibleDescription(
    /^Above 80,000 reported tokens .* above 90,000 a countdown/,
  );
  expect(says('Archive and start anew')).toHaveAccessibleDescription(/^Above 95,000 tokens/);
});

it('says so once where nobody knows how much the model holds', async () => {
  const unknown = { remindAbove: null, countDownAbove: null, archiveAbove: null };
  open({ summarizeAbove: null, ...unknown });
  expect(await screen.findByText(/^Nobody knows how much weaver-1 holds/)).toBeVisible();
  expect(says('Summarise')).toHaveAccessibleDescription(/^Older messages are sent as a summary/);
});

it('offers a summary where the model takes no tools and can keep no notes', async () => {
  const { person, setOverrides } = open({ takesTools: false });
  expect(await screen.findByRole('status')).toHaveTextContent(/^This model takes no tools/);
  await person.click(screen.getByRole('button', { name: 'Summarise instead' }));
  expect(setOverrides).toHaveBeenCalledWith(1, { strategy: 'summarize' });
});
