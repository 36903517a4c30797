import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { LanguageProvider } from '../../i18n';
import type { Policy, Settings } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { strategyNumbers, unknownWindowNumbers } from '../../../test/fixtures/healthFixtures';
import { backendWith, renderPart } from '../../../test/render';
import { ContextPage } from './ContextPage';

const words = {
  en: { cost: 'Cost first', balanced: 'Balanced', information: 'Keep information' },
  zh: { cost: '成本优先', balanced: '平衡模式', information: '信息保留' },
} as const;

it.each([
  [40, 'cost'],
  [55, 'cost'],
  [60, 'balanced'],
  [70, 'balanced'],
  [75, 'information'],
  [90, 'information'],
] as const)('fr_4_5: a automatic of $0 percent is said to mean $1', (automatic, leaning) => {
  for (const language of ['en', 'zh'] as const) {
    const context = { ...defaultSettings.context, compactionThreshold: automatic };
    const { unmount } = renderPart(
      <LanguageProvider choice={language}>
        <ContextPage settings={{ ...defaultSettings, context }} save={() => undefined} />
      </LanguageProvider>,
    );
    const hint = new RegExp(`^${words[language][leaning]}[:：]`);
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(hint);
    unmount();
  }
});

it('fr_1_2: says of how many tokens the automatic is a percentage, and where that compacts', async () => {
  renderPart(<ContextPage settings={defaultSettings} save={() => undefined} />);
  await waitFor(() => {
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(
      /60% of the 4,096 tokens that demo-8k has left after room for the answer: compacts at 2,457\./,
    );
  });
});

it('fr_3_3: says what each share of the window is of where nobody knows the window', async () => {
  const { user } = renderPart(
    <ContextPage settings={defaultSettings} save={() => undefined} />,
    backendWith({ strategies: () => Promise.resolve(unknownWindowNumbers) }),
  );
  await waitFor(() => {
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(/assumes 96,000 tokens/);
  });
  await user.click(screen.getByRole('button', { name: 'Advanced' }));
  for (const name of ['Room for the answer', 'Archive at (percent of the window)'])
    expect(screen.getByRole('textbox', { name })).toHaveAccessibleDescription(/weaver-1.+96,000/);
  expect(
    screen.getByRole('textbox', { name: 'Recent rounds kept word for word' }),
  ).not.toHaveAccessibleDescription(/96,000/);
});

it.each([
  ['user', /^.+Compacts at your upper bound of 2,000 tokens: 60% would be 2,457\.$/],
  ['priceStep', /Compacts at 2,000: above that, demo-8k charges more for every token\./],
  ['quality', /Compacts at 2,000, the upper bound for windows above 256k/],
] as const)(
  'fr_1_2: says why the upper bound holds where it is the smaller: $0',
  async (reason, said) => {
    const upperBound = { tokens: 2_000, reason };
    const numbers = { ...strategyNumbers, upperBound, summarizeAbove: 2_000 };
    const of = (context: Partial<Policy>) => (
      <ContextPage
        settings={{ ...defaultSettings, context: { ...defaultSettings.context, ...context } }}
        save={() => undefined}
      />
    );
    const backend = backendWith({ strategies: () => Promise.resolve(numbers) });
    const { rerender } = renderPart(of({}), backend);
    await waitFor(() => {
      expect(screen.getByRole('slider')).toHaveAccessibleDescription(said);
    });
    rerender(of({ compactionThreshold: 40 }));
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(/40% of .+ compacts at 1,638\./);
  },
);

it.each([
  ['en', /Compacts at 2,000, the upper bound for demo-8k: 60% would be/, /charge|price|cost/i],
  ['zh', /在 2,000 tokens 处压缩，这是 demo-8k 的上限/, /价|贵|费/],
] as const)('gives no price as a reason where costs are off: $0', async (choice, said, money) => {
  const upperBound = { tokens: 2_000, reason: 'priceStep' as const };
  const numbers = { ...strategyNumbers, upperBound, summarizeAbove: 2_000 };
  const { user } = renderPart(
    <LanguageProvider choice={choice}>
      <ContextPage settings={{ ...defaultSettings, showCosts: false }} save={() => undefined} />
    </LanguageProvider>,
    backendWith({ strategies: () => Promise.resolve(numbers) }),
  );
  await waitFor(() => {
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(said);
  });
  await user.click(screen.getByRole('button', { name: /Advanced|高级/ }));
  const field = screen.getByRole('textbox', { name: /^Upper bound|上限/ });
  expect(field).toHaveAccessibleDescription(/256k/);
  expect(field).not.toHaveAccessibleDescription(money);
});

it('fr_1_2: saves an upper bound of the threshold, and an empty one as the built-in', async () => {
  const save = vi.fn<(change: (settings: Settings) => Settings) => void>();
  const context = { ...defaultSettings.context, compactionBound: 150_000 };
  const { user } = renderPart(
    <ContextPage settings={{ ...defaultSettings, context }} save={save} />,
  );
  await user.click(screen.getByRole('button', { name: 'Advanced' }));
  const field = screen.getByRole('textbox', { name: /^Upper bound/ });
  await user.clear(field);
  await user.tab();
  expect(save.mock.calls[0]?.[0](defaultSettings).context.compactionBound).toBeNull();
  await user.clear(field);
  await user.type(field, '999{Enter}');
  expect(field).toBeInvalid();
  expect(save).toHaveBeenCalledOnce();
});

it.each([
  ['inBatches', { type: 'cheapReads', percent: 5 }, /in batches$/, /demo-8k charges 5% of/],
  ['inBatches', { type: 'local' }, /in batches$/, /demo-8k is not billed by the token/],
  ['everySend', { type: 'smallDiscount' }, /at every send$/, /demo-8k charges as much/],
  ['everySend', { type: 'tooShort' }, /at every send$/, /compacted before they are long enough/],
  ['everySend', { type: 'unknown' }, /at every send$/, /nobody knows what demo-8k charges/],
] as const)(
  'c09: says what the automatic choice is and why: $0, $1.type',
  async (cleaning, reason, label, hint) => {
    const numbers = { ...strategyNumbers, automaticCleaning: { cleaning, reason } };
    const backend = backendWith({ strategies: () => Promise.resolve(numbers) });
    const save = vi.fn<(change: (settings: Settings) => Settings) => void>();
    const of = (settings: Partial<Settings>) => (
      <ContextPage settings={{ ...defaultSettings, ...settings }} save={save} />
    );
    const { user, rerender } = renderPart(of({}), backend);
    await user.click(screen.getByRole('button', { name: 'Advanced' }));
    const automatic = await screen.findByRole('radio', { name: label });
    expect(automatic).toBeChecked();
    expect(automatic).toHaveAccessibleDescription(hint);
    await user.click(screen.getByRole('radio', { name: 'Only at a compaction' }));
    expect(save.mock.calls[0]?.[0](defaultSettings).context.toolCleaning).toBe('atCompaction');
    rerender(of({ showCosts: false }));
    expect(automatic).not.toHaveAccessibleDescription(/charges|billed/);
    rerender(of({ context: { ...defaultSettings.context, toolCleaning: 'never' } }));
    await user.click(automatic);
    expect(save.mock.calls[1]?.[0](defaultSettings).context.toolCleaning).toBeNull();
  },
);
