import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import {
  defaultSettings,
  emptySession,
  fakeBackend,
  settingsViewOf,
} from '../../../test/fakeBackend';
import { unknownMessageCost } from '../../../test/fixtures/costFixtures';
import { backendWith, renderPart } from '../../../test/render';
import { LanguageProvider } from '../../i18n';
import type { CostEstimate, NextMessageCost } from '../../ipc/bindings';
import { ExpiredCacheNotice } from './ExpiredCacheNotice';

const between = (least: number, most: number): CostEstimate => ({
  type: 'between',
  least: { amount: least, currency: 'USD' },
  most: { amount: most, currency: 'USD' },
});
const expired = between(400_000_000_000, 500_000_000_000);
const compactFirst = between(110_000_000_000, 130_000_000_000);

type Shown = {
  compactFirst?: CostEstimate | null;
  language?: 'en' | 'zh';
  showCosts?: boolean;
};

async function open(
  cost: Partial<NextMessageCost>,
  { compactFirst = null, language = 'en', showCosts = true }: Shown,
) {
  const { commands } = fakeBackend();
  const view = emptySession;
  const estimate = await commands.estimate(view.session.id, view.draft);
  const compact = vi.fn(() => Promise.resolve(null));
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  const rendered = renderPart(
    <main>
      <LanguageProvider choice={language}>
        <ExpiredCacheNotice view={view} draft={view.draft} running={false} />
      </LanguageProvider>
    </main>,
    backendWith({
      estimate: () => Promise.resolve({ ...estimate, cost: { ...unknownMessageCost, ...cost } }),
      compactFirstCost: () => Promise.resolve(compactFirst),
      settings: () => Promise.resolve(settings),
      compact,
    }),
  );
  return { ...rendered, compact };
}

it('C08: says both prices, compacts first, and can be dismissed', async () => {
  const { user, compact } = await open({ expired }, { compactFirst });
  const notice = await screen.findByRole('status');
  expect(notice).toHaveTextContent(
    /next message costs \$0\.40 to \$0\.50; .*\$0\.11 to \$0\.13 in all/,
  );
  await user.click(screen.getByRole('button', { name: 'Compact first' }));
  expect(compact).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('status')).toBeNull();
});

it('C08: says it in Chinese', async () => {
  await open({ expired }, { compactFirst, language: 'zh' });
  expect(await screen.findByText(/已不在服务商缓存中/)).toBeVisible();
  expect(screen.getByRole('button', { name: '先压缩' })).toBeVisible();
});

it.each<[string, Partial<NextMessageCost>, Shown]>([
  ['the cache still holds it', {}, { compactFirst }],
  ['there is nothing to compact', { expired }, {}],
  ['the price now is unknown', { expired: { type: 'unknown' } }, { compactFirst }],
  ['the price of a compaction is unknown', { expired }, { compactFirst: { type: 'unknown' } }],
  ['costs are switched off', { expired }, { compactFirst, showCosts: false }],
])('C08: says nothing where %s', async (_, cost, shown) => {
  await open(cost, shown);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await waitFor(() => {
    expect(screen.getByRole('main')).toBeEmptyDOMElement();
  });
});
