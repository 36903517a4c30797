import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import { LanguageProvider } from '../../i18n';
import type { Backend } from '../../ipc';
import type { ContextSaving, Settings } from '../../ipc/bindings';
import { ContextSavings } from './ContextSavings';

const money = (amount: number) => ({ amount: amount * 1e12, currency: 'USD' });

const savings: ContextSaving[] = [
  {
    kind: { type: 'unusedTools', tools: ['git__log', 'git__find'], rounds: 40 },
    tokens: 6_100,
    cost: { type: 'between', least: money(0.02), most: money(0.02) },
  },
  {
    kind: { type: 'attachment', message: 7, number: 3, name: 'loom.pdf' },
    tokens: 5_000,
    cost: null,
  },
  { kind: { type: 'pinned', message: 9, number: 5 }, tokens: 2_000, cost: { type: 'unknown' } },
  { kind: { type: 'instructionFile', path: '/home/AGENTS.md' }, tokens: 1_900, cost: null },
  { kind: { type: 'compaction' }, tokens: 1_000, cost: null },
];

function settingsWith(switches: Settings['tools']['switches']): Settings {
  const { tools } = defaultSettings;
  return { ...defaultSettings, showCosts: true, tools: { ...tools, switches } };
}

type Commands = Partial<Backend['commands']>;

function open(list: ContextSaving[], commands: Commands = {}, language: 'en' | 'zh' = 'en') {
  const settings = settingsViewOf({ ...defaultSettings, showCosts: true });
  const backend = backendWith({
    contextSavings: () => Promise.resolve(list),
    settings: () => Promise.resolve(settings),
    ...commands,
  });
  const shown = renderPart(
    <main>
      <LanguageProvider choice={language}>
        <ContextSavings sessionId={1} />
      </LanguageProvider>
    </main>,
    backend,
  );
  return { ...shown, backend, settings: settings.settings };
}

it('w07: names what could go with tokens and money, each with its button', async () => {
  open(savings);
  const region = await screen.findByRole('region', { name: 'What could go' });
  expect(within(region).getAllByRole('listitem')).toHaveLength(5);
  const tools = '2 tools of servers, not used in the last 40 rounds: git__log, git__find';
  expect(within(region).getByText(tools)).toBeVisible();
  expect(within(region).getByText('“loom.pdf”, attached to message 3')).toBeVisible();
  expect(await within(region).findByText('6,100 tokens, $0.02 a message')).toBeVisible();
  expect(within(region).getByText('saves 2,000 tokens with each message')).toBeVisible();
  expect(
    within(region).getByRole('button', { name: `Switch off in every session: ${tools}` }),
  ).toBeVisible();
});

it('w07: says it in Chinese', async () => {
  open(savings, {}, 'zh');
  expect(await screen.findByRole('region', { name: '可以移出的内容' })).toBeVisible();
  expect(screen.getByRole('button', { name: /^在所有会话中关闭: 2 个服务器工具/ })).toBeVisible();
});

it('w07: each button does what the user could do elsewhere', async () => {
  const includeMessage = vi.fn(() => Promise.resolve(null));
  const compact = vi.fn(() => Promise.resolve(null));
  const saveSettings = vi.fn(() => Promise.resolve(null));
  const { user, settings } = open(savings, { includeMessage, compact, saveSettings });
  await user.click(await screen.findByRole('button', { name: /^Leave the message out/ }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await user.click(screen.getByRole('button', { name: /^Unpin/ }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(includeMessage.mock.calls).toEqual([
    [7, 'leftOut'],
    [7, 'usual'],
    [9, 'usual'],
    [9, 'pinned'],
  ]);
  await user.click(screen.getByRole('button', { name: /^Compact/ }));
  expect(compact).toHaveBeenCalledExactlyOnceWith(1, null, null);
  await user.click(screen.getByRole('button', { name: /^Switch off/ }));
  const { tools } = settings;
  const switches = { ...tools.switches, git__log: 'off', git__find: 'off' };
  const changed = { ...settings, tools: { ...tools, switches } };
  expect(saveSettings).toHaveBeenCalledExactlyOnceWith(settings, changed);
});

it('w07: undoing a switch-off restores the switches of its tools alone', async () => {
  const before = settingsWith({ git__log: 'on', web_search: 'off' });
  let now = before;
  const saveSettings = vi.fn((_: Settings, changed: Settings) => {
    now = changed;
    return Promise.resolve(null);
  });
  const { user } = open(savings, {
    settings: () => Promise.resolve(settingsViewOf(now)),
    saveSettings,
  });
  await user.click(await screen.findByRole('button', { name: /^Switch off/ }));
  const undo = await screen.findByRole('button', { name: 'Undo' });
  expect(now.tools.switches).toEqual({ git__log: 'off', git__find: 'off', web_search: 'off' });
  now = settingsWith({ ...now.tools.switches, web_search: 'on' });
  await user.click(undo);
  await waitFor(() => {
    expect(now.tools.switches).toEqual({ git__log: 'on', web_search: 'on' });
  });
});

it('w07: is not there where nothing is worth it', async () => {
  const contextSavings = vi.fn(() => Promise.resolve([]));
  open([], { contextSavings });
  await waitFor(() => {
    expect(contextSavings).toHaveResolved();
  });
  expect(screen.getByRole('main')).toBeEmptyDOMElement();
});
