import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import type { CacheMiss, Cost, Generation } from '../../ipc/bindings';
import { UsageLine } from './UsageLine';

const generation: Generation = {
  messageId: 1,
  place: 1,
  point: null,
  purpose: 'reply',
  model: { provider: 'loom', model: 'warp' },
  usage: { prompt: 1000, completion: 20 },
  health: null,
  finish: 'stop',
  startedAt: 0,
  durationMs: 1500,
};

async function line(cost: Cost | null, showCosts = true, cacheMiss: CacheMiss | null = null) {
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  renderPart(
    <UsageLine {...{ generation, cost, cacheMiss }} />,
    backendWith({ settings: () => Promise.resolve(settings) }),
  );
  return screen.findByRole('note', { name: 'Usage' });
}

const usd = (amount: number) => ({ amount, currency: 'USD' });

it('says what a reply cost beside its tokens', async () => {
  const note = await line({ type: 'known', money: usd(4_000_000_000) });
  await expect.poll(() => note.textContent).toBe('1k in · 20 out · $0.004 · 1.5 s');
});

it('says that a stopped reply cost at least so much', async () => {
  const note = await line({ type: 'atLeast', money: usd(4_000_000_000) });
  await expect.poll(() => note.textContent).toContain('at least $0.004');
});

it.each<Cost | null>([{ type: 'unknown' }, { type: 'notBilled' }, null])(
  'C02: shows no amount where there is none: %o',
  async (cost) => {
    const note = await line(cost);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(note).toHaveTextContent('1k in · 20 out · 1.5 s');
  },
);

it('says nothing of money where costs are switched off', async () => {
  const note = await line({ type: 'known', money: usd(4_000_000_000) }, false);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(note).not.toHaveTextContent('$');
});

it('C06: says that the cache was not used', async () => {
  const note = await line(null, true, { type: 'system' });
  expect(note).toHaveTextContent('1k in · cache not used · 20 out · 1.5 s');
});
