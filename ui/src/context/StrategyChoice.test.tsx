import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { StrategyNumbers } from '../ipc/bindings';
import { emptySession } from '../../test/fakeBackend';
import { strategyNumbers, unknownWindowNumbers } from '../../test/fixtures/healthFixtures';
import { backendWith, renderPart } from '../../test/render';
import { StrategyChoice } from './StrategyChoice';

async function open(numbers: StrategyNumbers) {
  const setOverride = vi.fn(() => Promise.resolve(null));
  const backend = backendWith({
    strategies: () => Promise.resolve(numbers),
    setOverride,
  });
  const view = { ...emptySession, strategy: 'remind' as const };
  const shown = renderPart(<StrategyChoice view={view} />, backend);
  const line = { name: 'When the context fills up: Remind the model' };
  await shown.user.click(await screen.findByRole('button', line));
  return { setOverride, ...shown };
}

const says = (name: string) => screen.getByRole('radio', { name });

it('says what each strategy would do in the numbers of the model', async () => {
  await open({ ...strategyNumbers, archiveAbove: 7_700, global: 'archive' });
  expect(
    await screen.findByRole('radio', { name: 'Follow global: Archive and start anew' }),
  ).toBeChecked();
  expect(says('Summarise')).toHaveAccessibleDescription(/^Above 2,457 tokens the older/);
  expect(says('Remind the model')).toHaveAccessibleDescription(
    /^Above 6,553 tokens, as the provider counts .* Above 7,372 it has five/,
  );
  expect(says('Archive and start anew')).toHaveAccessibleDescription(/^Above 7,700 tokens/);
});

it('says so once where nobody knows how much the model holds', async () => {
  await open(unknownWindowNumbers);
  expect(screen.getByText(/^The context window of weaver-1 is unknown/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Set its window' })).toBeNull();
  expect(says('Summarise')).toHaveAccessibleDescription(/^Older messages are sent as a summary/);
});

it('offers a summary where the model takes no tools and can keep no notes', async () => {
  const { user, setOverride } = await open({ ...strategyNumbers, takesTools: false });
  expect(await screen.findByRole('status')).toHaveTextContent(/^This model cannot use tools/);
  await user.click(screen.getByRole('button', { name: 'Summarise instead' }));
  expect(setOverride).toHaveBeenCalledWith(1, { name: 'strategy', value: 'summarize' });
});
