import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import { LanguageProvider } from '../../i18n';
import type { CacheMiss, CacheReport } from '../../ipc/bindings';
import { CacheUseNote } from './CacheUseNote';

const totals = { calls: 12, cached: 30_000, prompt: 40_000 };

type Shown = { language?: 'en' | 'zh'; showCosts?: boolean };

function open(report: Partial<CacheReport>, { language = 'en', showCosts = true }: Shown = {}) {
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  const cacheReport = { totals: null, miss: null, keepsHour: false, ...report };
  return renderPart(
    <main>
      <LanguageProvider choice={language}>
        <CacheUseNote sessionId={1} />
      </LanguageProvider>
    </main>,
    backendWith({
      cacheReport: () => Promise.resolve(cacheReport),
      settings: () => Promise.resolve(settings),
    }),
  );
}

it('C06: says how much of the input the cache held, and why it was not used', async () => {
  open({ totals, miss: { type: 'tool', name: 'look' } });
  expect(await screen.findByText(/75\.0%.*12 requests reported it/)).toBeVisible();
  expect(screen.getByText(/the tool list changed.*“look”/)).toBeVisible();
});

it('C06: says it in Chinese', async () => {
  open({ totals, miss: { type: 'tool', name: 'look' } }, { language: 'zh' });
  expect(await screen.findByText(/75\.0%.*12 次请求/)).toBeVisible();
  expect(screen.getByText(/工具列表有变化.*“look”/)).toBeVisible();
});

it.each<[CacheMiss, RegExp]>([
  [{ type: 'model' }, /another model answered/],
  [{ type: 'system' }, /the system prompt changed/],
  [{ type: 'compaction' }, /a compaction was made or undone/],
  [{ type: 'cleaning' }, /old tool calls left the context together/],
  [{ type: 'message', number: 4 }, /message 4 of the request changed/],
  [{ type: 'expired', minutes: 12 }, /the pause of 12 minutes was longer/],
])('C06: names the cause %o', async (miss, words) => {
  open({ totals, miss });
  expect(await screen.findByText(words)).toBeVisible();
});

it('C06: says nothing where no call reported its cache', async () => {
  open({});
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByRole('main')).toBeEmptyDOMElement();
});

it.each([
  ['en' as const, /keep what it has read for an hour/],
  ['zh' as const, /保留一小时/],
])('C07: says that prompts are kept for an hour: %s', async (language, words) => {
  open({ keepsHour: true }, { language });
  expect(await screen.findByText(words)).toBeVisible();
});

it('C07: says nothing of it where costs are switched off', async () => {
  open({ keepsHour: true }, { showCosts: false });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByRole('main')).toBeEmptyDOMElement();
});
