import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import { defaultSettings, settingsViewOf } from '../../test/fakeBackend';
import { unknownMessageCost } from '../../test/fixtures/costFixtures';
import type { NextMessageCost } from '../ipc/bindings';
import { NextMessageCostRows } from './NextMessageCostRows';

const usd = (amount: number) => ({ amount, currency: 'USD' });
const priced: NextMessageCost = {
  now: { type: 'between', least: usd(20_000_000_000), most: usd(90_000_000_000) },
  cached: 12_000,
  fresh: 800,
  answer: { least: 50, most: 900, isTypical: true },
  declaresTools: true,
  compacted: { type: 'between', least: usd(10_000_000_000), most: usd(30_000_000_000) },
};

function open(cost: NextMessageCost, showCosts = true) {
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  return renderPart(
    <main>
      <NextMessageCostRows cost={cost} />
    </main>,
    backendWith({ settings: () => Promise.resolve(settings) }),
  );
}
const rows = async () =>
  (await screen.findAllByRole('definition')).map(({ textContent }) => textContent);

it('C03: says what the next message costs, of what, and what it would after a compaction', async () => {
  open(priced);
  const parts =
    'up to 12,000 tokens from the provider’s cache, at least 800 fresh · ' +
    'an answer of 50 to 900 tokens, like the latest ones here · ' +
    'each round of tool calls costs extra';
  expect(await rows()).toEqual([`$0.02 to $0.09${parts}`, '$0.01 to $0.03']);
});

it('C03: says which length of answer the range has where there are too few to go by', async () => {
  const limit = { least: 0, most: 8_000, isTypical: false };
  const cost = { ...priced, cached: 0, fresh: 12_800, answer: limit, declaresTools: false };
  open({ ...cost, compacted: null });
  const parts = '12,800 tokens, likely none of them cached · an answer of at most 8,000 tokens';
  expect(await rows()).toEqual([`$0.02 to $0.09${parts}`]);
});

it('C02: says that a cost is unknown or not billed, and no figure', async () => {
  const { unmount } = open(unknownMessageCost);
  expect(await rows()).toEqual(['cost unknown']);
  unmount();
  open({ ...unknownMessageCost, now: { type: 'notBilled' }, compacted: { type: 'notBilled' } });
  expect(await rows()).toEqual(['not billed by the token']);
});

it('shows nothing of it where costs are switched off', async () => {
  open(priced, false);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByRole('main')).toBeEmptyDOMElement();
});
