import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc';
import type { ProviderConfig, ProviderView, Settings } from '../../ipc/bindings';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { strategyNumbers, unknownWindowNumbers } from '../../../test/fixtures/healthFixtures';
import { readyMcpServer } from '../../../test/fixtures/mcpServerFixture';
import { stableForMs } from '../../kit/a11y/useStablePosition';
import { backendWith, renderPart } from '../../../test/render';
import type { SettingsPage, SettingsTarget } from '../settingsPages';
import { SettingsDialog } from './SettingsDialog';

/** Gone once it is closed. */
function Closing({ place }: { place: SettingsTarget }) {
  const [open, setOpen] = useState(true);
  const close = () => {
    setOpen(false);
  };
  return open && <SettingsDialog session={1} place={place} onClose={close} />;
}

/** A browser closes a modal dialog with Esc by asking it; jsdom does not. */
const escape = (name: string) =>
  fireEvent(screen.getByRole('dialog', { name }), new Event('cancel', { cancelable: true }));

/** In jsdom every place is beside: a dialog has no size. */
const clickBeside = () =>
  fireEvent.mouseDown(screen.getByRole('dialog', { name: 'Settings' }), { clientX: 5, clientY: 5 });

function open(
  page: SettingsPage,
  problems: { key: string; found: string; used: string }[] = [],
  changed: Partial<Backend['commands']> = {},
) {
  let settings = defaultSettings;
  let providers: ProviderView[] = [];
  const commands = {
    settings: () => Promise.resolve({ ...settingsViewOf(settings), problems }),
    saveSettings: vi.fn((_: Settings, next: Settings) => {
      settings = next;
      return Promise.resolve(null);
    }),
    models: () => Promise.resolve([]),
    providers: () => Promise.resolve(providers),
    providerKinds: () =>
      Promise.resolve([
        {
          id: 'custom',
          name: 'Custom',
          format: 'openAi',
          baseUrl: null,
          keyless: false,
          keyEnv: [],
          defaultModel: null,
        },
      ]),
    resolveAddress: (config: ProviderConfig) => Promise.resolve(`${config.baseUrl ?? ''}/chat`),
    saveProvider: vi.fn((config: ProviderConfig) => {
      providers = [{ config, address: config.baseUrl ?? '', key: { type: 'nowhere' }, models: [] }];
      return Promise.resolve(null);
    }),
    removeProvider: () => {
      providers = [];
      return Promise.resolve(null);
    },
    setKey: vi.fn(() => Promise.resolve({ type: 'keychain' })),
    testProvider: () =>
      Promise.reject(
        // Rust's errors are tagged objects.
        Object.assign(new Error(), { kind: 'unauthorized', message: 'bad key 17' }),
      ),
    mcpServers: () =>
      Promise.resolve([
        {
          ...readyMcpServer,
          name: 'files',
          state: {
            type: 'needsConsent',
            command: 'npx -y files /home',
            environment: [],
            unseen: [],
            again: false,
          },
        },
      ]),
    allowMcpServer: vi.fn(() => Promise.resolve(null)),
  };
  const { user } = renderPart(
    <Closing place={{ page }} />,
    backendWith({ ...(commands as unknown as Backend['commands']), ...changed }),
  );
  return { commands, user, saved: () => settings };
}

it('switches auto-compaction off and leaves the rest as it was', async () => {
  const { user, saved } = open('context');
  await user.click(await screen.findByRole('switch', { name: 'Auto-compaction (global default)' }));
  await waitFor(() => {
    expect(saved()).toEqual({
      ...defaultSettings,
      context: { ...defaultSettings.context, automatic: false },
    });
  });
  expect(screen.getByText(/^Balanced:/)).toBeVisible();
});

it('says what each strategy does in the numbers of the model that new sessions use', async () => {
  const { user, saved } = open('context');
  const remind = await screen.findByRole('radio', { name: 'Remind the model' });
  await waitFor(() => {
    expect(remind).toHaveAccessibleDescription(/^Above 6,553 tokens, as the provider/);
  });
  expect(screen.getByRole('radio', { name: 'Summarise' })).toHaveAccessibleDescription(
    /^Above 2,457 tokens/,
  );
  expect(
    screen.getByText('The numbers are those of demo-8k, the model of new sessions.'),
  ).toBeVisible();
  await user.click(remind);
  await waitFor(() => {
    expect(saved().context.strategy).toBe('remind');
  });
});

it('says so where nobody knows how much the model of new sessions holds', async () => {
  open('context', [], { strategies: () => Promise.resolve(unknownWindowNumbers) });
  expect(await screen.findByText(/^The context window of weaver-1 is unknown/)).toBeVisible();
  expect(screen.getByRole('radio', { name: 'Summarise' })).toHaveAccessibleDescription(
    /^Older messages are sent as a summary/,
  );
});

it('keeps a number that cannot be used as it was typed, says why, and does not save it', async () => {
  const { user, saved, commands } = open('context');
  await user.click(await screen.findByRole('button', { name: 'Advanced' }));
  const rounds = screen.getByRole('textbox', { name: 'Recent rounds kept word for word' });
  await user.clear(rounds);
  await user.type(rounds, '21');
  await user.tab();
  expect(rounds).toHaveValue('21');
  expect(screen.getByRole('alert')).toHaveTextContent('from 0 to 20');
  expect(commands.saveSettings).not.toHaveBeenCalled();
  await user.clear(rounds);
  await user.type(rounds, '5{Enter}');
  await waitFor(() => {
    expect(saved().context.keepRounds).toBe(5);
  });
});

it('keeps an address that was typed when Esc closes the dialog', async () => {
  const { user, saved } = open('network');
  await user.click(await screen.findByRole('radio', { name: 'Custom' }));
  await user.type(screen.getByRole('textbox', { name: 'Proxy address' }), 'http://loom:1');
  escape('Settings');
  await waitFor(() => {
    expect(saved().network.proxy).toEqual({ type: 'custom', url: 'http://loom:1', noProxy: '' });
  });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('keeps a number that was typed when a click beside closes the dialog', async () => {
  const { user, saved } = open('context');
  await user.click(await screen.findByRole('button', { name: 'Advanced' }));
  const rounds = screen.getByRole('textbox', { name: 'Recent rounds kept word for word' });
  await user.clear(rounds);
  await user.type(rounds, '5');
  clickBeside();
  await waitFor(() => {
    expect(saved().context.keepRounds).toBe(5);
  });
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('names the built-in models in the list of summary models as in every other', async () => {
  const { user } = open('context', [], {
    models: () =>
      Promise.resolve([
        {
          model: strategyNumbers.model,
          name: 'demo-8k',
          providerName: 'demo',
          spec: {},
          follows: {},
        },
      ]),
  });
  await user.click(await screen.findByRole('combobox', { name: 'Summary model' }));
  expect(await screen.findByRole('group', { name: 'Built in, offline' })).toBeVisible();
});

it('asks before a half-filled provider is thrown away, by Esc, beside or another page', async () => {
  const { user } = open('providers');
  await user.click(await screen.findByRole('button', { name: 'Add provider' }));
  const url = () => screen.getByRole('textbox', { name: 'Base URL' });
  await user.type(url(), 'http://loom');
  const asked = () => screen.getByRole('dialog', { name: 'Discard what you typed?' });
  clickBeside();
  await user.click(within(asked()).getByRole('button', { name: 'Keep editing' }));
  expect(url()).toHaveValue('http://loom');
  await user.click(screen.getByRole('tab', { name: 'Network' }));
  await user.click(within(asked()).getByRole('button', { name: 'Keep editing' }));
  expect(url()).toHaveValue('http://loom');
  escape('Settings');
  await user.click(within(asked()).getByRole('button', { name: 'Discard' }));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('closes at once where a provider was only looked at', async () => {
  const { user } = open('providers');
  await user.click(await screen.findByRole('button', { name: 'Add provider' }));
  clickBeside();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('closes at once where what was typed into a provider was taken out again, or saved', async () => {
  const { user } = open('providers');
  await user.click(await screen.findByRole('button', { name: 'Add provider' }));
  const url = () => screen.getByRole('textbox', { name: 'Base URL' });
  await user.type(url(), 'http://loom');
  await user.clear(url());
  await user.click(screen.getByRole('button', { name: 'Add provider' }));
  await user.type(url(), 'http://loom');
  await user.type(screen.getByRole('textbox', { name: 'API key' }), 'secret');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('table', { name: 'Models' });
  await user.type(url(), '/v1');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('http://loom/v1');
  clickBeside();
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});

it('says which values of the file could not be used', async () => {
  open('context', [{ key: 'context.archiveAt', found: '900', used: '90' }]);
  expect(
    await screen.findByText('context.archiveAt: 900 cannot be used. The default is used: 90.'),
  ).toBeVisible();
});

it('adds a provider with its key, shows the real error of a test, and takes a removal back', async () => {
  const { user, commands } = open('providers');
  await user.click(await screen.findByRole('button', { name: 'Add provider' }));
  const form = within(screen.getByRole('form'));
  await user.type(form.getByRole('textbox', { name: 'Base URL' }), 'http://localhost:9');
  expect(await screen.findByText('Will call: http://localhost:9/chat')).toBeVisible();
  await user.type(form.getByRole('textbox', { name: 'API key' }), 'secret');
  await user.type(form.getByRole('textbox', { name: 'Test with this model' }), 'm');
  await user.click(form.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(/bad key 17/)).toBeVisible();
  await user.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('table', { name: 'Models' })).toBeVisible();
  const id = commands.saveProvider.mock.calls[0]?.[0].id ?? '';
  expect(id).toMatch(/^custom-[0-9a-f]{8}$/);
  expect(commands.setKey).toHaveBeenCalledWith(id, 'secret');
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'Custom' })).toBeVisible();
});

it('tells of a provider that is saved, and of what it lists once it can be asked, one at a time', async () => {
  const fetchModels = vi.fn(() => Promise.resolve(2));
  const { user } = open('providers', [], { fetchModels });
  await user.click(await screen.findByRole('button', { name: 'Add provider' }));
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  await user.type(screen.getByRole('textbox', { name: 'Base URL' }), 'http://localhost:9');
  await save();
  expect(await screen.findByText(/^Custom is saved\. It needs an API key/)).toBeVisible();
  expect(fetchModels).not.toHaveBeenCalled();

  await screen.findByRole('button', { name: 'Remove' });
  await user.type(screen.getByRole('textbox', { name: 'API key' }), 'secret');
  await save();
  expect(await screen.findByText(/^Custom is saved.+2 models/)).toBeVisible();
  expect(screen.queryByText(/needs an API key/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Fetch models' }));
  expect(await screen.findByText('The provider lists 2 models.')).toBeVisible();
  expect(screen.queryByText(/^Custom is saved/)).not.toBeInTheDocument();
});

it('starts an MCP server only after its whole command was seen, and could be read', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { user, commands } = open('tools');
  expect(await screen.findByText('npx -y files /home')).toBeVisible();
  const allow = screen.getByRole('button', { name: 'Allow and start' });
  await user.click(allow);
  expect(commands.allowMcpServer).not.toHaveBeenCalled();
  clock.mockReturnValue(stableForMs);
  await user.click(allow);
  expect(commands.allowMcpServer).toHaveBeenCalledWith('npx -y files /home');
  clock.mockRestore();
});

it('names the server whose start was agreed to, and whose tool may run', async () => {
  open('tools', [], {
    toolGrants: () =>
      Promise.resolve([
        { tool: 'start:my%2Ffiles/0f9e', session: null },
        { tool: 'mcp:搜索/read#0f9e8d7c', session: null },
      ]),
  });
  expect(await screen.findByText('Start of “my/files”')).toBeVisible();
  expect(screen.getByText('mcp:搜索/read')).toBeVisible();
});

it('says which key cannot be read, and why', async () => {
  const detail = 'the prompt was dismissed';
  const fault = { kind: 'keychain', detail } as const;
  const config = {
    id: 'a',
    kind: 'custom',
    name: 'A',
    baseUrl: 'https://a',
    exactUrl: false,
    headers: {},
    models: [],
  };
  const view: ProviderView = {
    config,
    address: 'https://a',
    key: { type: 'unknown', fault },
    models: [],
  };
  const { user } = open('providers', [], { providers: () => Promise.resolve([view]) });
  await user.click(await screen.findByRole('button', { name: 'A' }));
  expect(await screen.findByText(/the prompt was dismissed/)).toBeVisible();
});

it('says why no provider can be shown', async () => {
  open('providers', [], {
    // Rust's errors are tagged objects.
    providers: () =>
      Promise.reject(Object.assign(new Error(), { kind: 'storage', detail: 'gone 17' })),
  });
  expect(await screen.findByText(/gone 17/)).toBeVisible();
});

it('copies diagnostics for a report', async () => {
  const backend = backendWith({
    settings: () => Promise.resolve(settingsViewOf(defaultSettings)),
    version: () => Promise.resolve('0.1.0'),
    hosts: () => Promise.resolve([]),
    diagnostics: () => Promise.resolve('Skein 0.1.0 (release)'),
  });
  const copyText = vi.fn(() => Promise.resolve());
  backend.desktop.copyText = copyText;
  const { user } = renderPart(<Closing place={{ page: 'about' }} />, backend);
  await user.click(await screen.findByRole('button', { name: 'Copy diagnostics' }));
  expect(copyText).toHaveBeenCalledExactlyOnceWith('Skein 0.1.0 (release)');
});

it('names by licence what the program is made of, crates and packages', async () => {
  const { user } = open('about', [], {
    version: () => Promise.resolve('0.1.0'),
    hosts: () => Promise.resolve([]),
  });
  await user.click(await screen.findByRole('button', { name: 'What Skein is made of' }));
  const mit = await screen.findByText('MIT');
  const parts = within(mit.nextElementSibling as HTMLElement);
  for (const part of [/^@base-ui\/react \d/, /^katex \d/, /^tokio \d/])
    expect(parts.getByText(part)).toBeVisible();
  expect(screen.queryByText(/\bvitest\b/)).not.toBeInTheDocument();
});
