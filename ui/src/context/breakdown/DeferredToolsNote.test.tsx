import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import type { BreakdownPart, CostEstimate } from '../../ipc/bindings';
import { DeferredToolsNote } from './DeferredToolsNote';

const part = (name: string, tokens: number): BreakdownPart => ({
  label: { type: 'named', name },
  tokens,
});

const cost = (least: number, most: number): CostEstimate => ({
  type: 'between',
  least: { amount: least * 1e12, currency: 'USD' },
  most: { amount: most * 1e12, currency: 'USD' },
});

it('w03 says what is not loaded, what that saves, and names the tools', async () => {
  const report = {
    loaded: [part('git__log', 190)],
    notLoaded: [part('git__find', 1_200), part('git__show', 180)],
    saved: 1_234,
    savedCost: cost(0.001, 0.01),
  };
  const settings = () => Promise.resolve(settingsViewOf({ ...defaultSettings, showCosts: true }));
  renderPart(<DeferredToolsNote report={report} />, backendWith({ settings }));
  // The cost appears when the settings say that costs are shown.
  expect(await screen.findByText(/saves 1,234 tokens.*\$0\.01/)).toHaveTextContent(
    '2 tools of servers are not loaded',
  );
  expect(screen.getByText('Loaded in this thread: git__log.')).toBeInTheDocument();
  screen.getByRole('button', { name: 'Which are not loaded' }).click();
  expect(await screen.findByText('git__find: 1,200 tokens')).toBeInTheDocument();
});

it('w03 claims no cost that is not known, and has no empty list', async () => {
  const report = {
    loaded: [part('git__log', 190)],
    notLoaded: [],
    saved: 10,
    savedCost: { type: 'unknown' as const },
  };
  renderPart(<DeferredToolsNote report={report} />);
  expect(await screen.findByText(/saves 10 tokens in every request\.$/)).toBeInTheDocument();
  expect(screen.queryByRole('button')).toBeNull();
});
