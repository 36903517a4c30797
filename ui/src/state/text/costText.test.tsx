import { renderHook, waitFor } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { backendWith } from '../../../test/render';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { LanguageProvider } from '../../i18n';
import { BackendProvider } from '../../ipc';
import type { Cost, CostEstimate, PriceTable } from '../../ipc/bindings';
import { makeQueryClient } from '../queries/queries';
import { useCostText, useEstimateText, usePriceText } from './costText';

const usd = (amount: number) => ({ amount, currency: 'USD' });
const known = (amount: number): Cost => ({ type: 'known', money: usd(amount) });
const table = (input: number, output: number): PriceTable => ({
  currency: 'USD',
  standard: { base: { input, output } },
});

function words(language: 'en' | 'zh', showCosts = true) {
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  const backend = backendWith({ settings: () => Promise.resolve(settings) });
  const client = makeQueryClient();
  client.setQueryData(['settings'], settings);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <LanguageProvider choice={language}>
        <BackendProvider value={backend}>{children}</BackendProvider>
      </LanguageProvider>
    </QueryClientProvider>
  );
  return renderHook(
    () => ({ cost: useCostText(), estimate: useEstimateText(), price: usePriceText() }),
    { wrapper },
  ).result;
}

it('says a cost with its digits, and below them as less than the last, never as 0', async () => {
  const result = words('en');
  await waitFor(() => {
    expect(result.current.cost(known(12_500_000_000))).toBe('$0.0125');
  });
  for (const [cost, said] of [
    [known(1_234_567_000_000), '$1.23'],
    [known(99_999_999), 'less than $0.0001'],
    [known(100_000_000), '$0.0001'],
    [known(0), 'free'],
    [{ type: 'atLeast', money: usd(2_000_000_000_000) }, 'at least $2.00'],
    [{ type: 'atLeast', money: usd(1) }, 'cost unknown'],
    [{ type: 'unknown' }, 'cost unknown'],
    [{ type: 'notBilled' }, 'not billed by the token'],
    [{ type: 'known', money: { amount: 5_000_000_000_000, currency: 'CNY' } }, 'CN¥5.00'],
  ] as const) {
    expect(result.current.cost(cost)).toBe(said);
  }
});

const between = (least: number, most: number): CostEstimate => ({
  type: 'between',
  least: usd(least),
  most: usd(most),
});

it('C03: says what something will cost as a range, and never 0 for what is unknown', async () => {
  const result = words('en');
  await waitFor(() => {
    expect(result.current.cost(known(0))).toBe('free');
  });
  for (const [estimate, said] of [
    [between(12_500_000_000, 40_000_000_000), '$0.0125 to $0.04'],
    [between(40_000_000_000, 40_000_000_000), '$0.04'],
    [between(1, 40_000_000_000), 'up to $0.04'],
    [between(1, 2), 'less than $0.0001'],
    [between(0, 0), 'free'],
    [{ type: 'atLeast', least: usd(2_000_000_000_000) }, 'at least $2.00'],
    [{ type: 'unknown' }, 'cost unknown'],
    [{ type: 'notBilled' }, 'not billed by the token'],
  ] as const) {
    expect(result.current.estimate(estimate)).toBe(said);
  }
});

it('says costs and prices in Chinese', async () => {
  const result = words('zh');
  await waitFor(() => {
    expect(result.current.cost(known(1))).toBe('不到 US$0.0001');
  });
  expect(result.current.price(table(250_000, 2_000_000))).toBe(
    '每百万 tokens 输入/输出 US$0.25 / US$2',
  );
});

it('says the price of a model per million tokens, and nothing where it is unknown', async () => {
  const result = words('en');
  await waitFor(() => {
    expect(result.current.price(table(250_000, 2_000_000))).toBe(
      '$0.25 / $2 per million tokens in/out',
    );
  });
  expect(result.current.price(table(37_500, 2_500_000))).toBe(
    '$0.0375 / $2.50 per million tokens in/out',
  );
  expect(result.current.price(table(0, 0))).toBe('free');
  expect(result.current.price(null)).toBeNull();
  expect(result.current.price({ currency: 'USD', standard: { base: { input: 1 } } })).toBeNull();
});

it('says nothing of money where costs are switched off', () => {
  const result = words('en', false);
  expect(result.current.cost(known(1_000_000_000_000))).toBeNull();
  expect(result.current.estimate(between(1, 2))).toBeNull();
  expect(result.current.price(table(1, 1))).toBeNull();
});
