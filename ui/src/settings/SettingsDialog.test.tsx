import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { LanguageProvider } from '../i18n';
import { BackendProvider, type Backend } from '../ipc';
import type { ProviderConfig, ProviderView, Settings } from '../ipc/bindings';
import { ToastProvider } from '../kit/Toast';
import { makeQueryClient } from '../state/reading';
import type { SettingsPage } from './pages';
import { SettingsDialog } from './SettingsDialog';

const initial: Settings = {
  context: {
    automatic: true,
    strategy: 'summarize',
    compactionThreshold: 60,
    outputReserve: 32_000,
    keepRounds: 2,
    keepToolRounds: 2,
    toolCleaning: 'everySend',
    archiveAt: 90,
  },
  defaultModel: null,
  summaryModel: null,
  recallPassages: false,
  providers: [],
  appearance: { theme: 'system', language: null, zoom: 100 },
  keyboard: { send: 'enter' },
  network: {},
  catalogueRefresh: true,
  organisationUrl: null,
  tools: { switches: {}, outputLimits: {}, search: null, generationsPerTurn: 50 },
  mcpServers: {},
  memory: { instructions: true, skills: {} },
};

function open(page: SettingsPage, problems: { key: string; found: string; used: string }[] = []) {
  let settings = initial;
  let providers: ProviderView[] = [];
  const commands = {
    settings: () => Promise.resolve({ settings, problems, broken: null, path: '/c/settings.json' }),
    saveSettings: vi.fn((next: Settings) => {
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
      providers = [{ config, address: config.baseUrl ?? '', key: null, models: [] }];
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
          name: 'files',
          state: { type: 'needsConsent', command: 'npx -y files /home' },
          stderr: [],
          tools: [],
          prompts: [],
          resources: [],
        },
      ]),
    allowMcpServer: vi.fn(() => Promise.resolve(null)),
  };
  const backend = { commands } as unknown as Backend;
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <LanguageProvider choice="en">
        <ToastProvider>
          <BackendProvider value={backend}>
            <SettingsDialog session={1} page={page} onClose={() => undefined} />
          </BackendProvider>
        </ToastProvider>
      </LanguageProvider>
    </QueryClientProvider>,
  );
  return { commands, person: userEvent.setup(), saved: () => settings };
}

it('switches auto-compaction off and leaves the rest as it was', async () => {
  const { person, saved } = open('context');
  await person.click(
    await screen.findByRole('switch', { name: 'Auto-compaction (global default)' }),
  );
  await waitFor(() => {
    expect(saved()).toEqual({ ...initial, context: { ...initial.context, automatic: false } });
  });
  expect(screen.getByText(/^Balanced:/)).toBeVisible();
});

it('keeps a number that cannot be used as it was typed, says why, and does not save it', async () => {
  const { person, saved, commands } = open('context');
  await person.click(await screen.findByRole('button', { name: 'Advanced' }));
  const rounds = screen.getByRole('textbox', { name: 'Recent rounds kept verbatim' });
  await person.clear(rounds);
  await person.type(rounds, '21');
  await person.tab();
  expect(rounds).toHaveValue('21');
  expect(screen.getByRole('alert')).toHaveTextContent('from 0 to 20');
  expect(commands.saveSettings).not.toHaveBeenCalled();
  await person.clear(rounds);
  await person.type(rounds, '5{Enter}');
  await waitFor(() => {
    expect(saved().context.keepRounds).toBe(5);
  });
});

it('says which values of the file could not be used', async () => {
  open('context', [{ key: 'context.archiveAt', found: '900', used: '90' }]);
  expect(
    await screen.findByText('context.archiveAt: 900 cannot be used. The default holds: 90.'),
  ).toBeVisible();
});

it('adds a provider with its key, shows the real error of a test, and takes a removal back', async () => {
  const { person, commands } = open('providers');
  await person.click(await screen.findByRole('button', { name: 'Add provider' }));
  const form = within(screen.getByRole('form'));
  await person.type(form.getByRole('textbox', { name: 'Base URL' }), 'http://localhost:9');
  expect(await screen.findByText('Will call: http://localhost:9/chat')).toBeVisible();
  await person.type(form.getByRole('textbox', { name: 'API key' }), 'secret');
  await person.type(form.getByRole('textbox', { name: 'Test with this model' }), 'm');
  await person.click(form.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(/bad key 17/)).toBeVisible();
  await person.click(form.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('table', { name: 'Models' })).toBeVisible();
  const id = commands.saveProvider.mock.calls[0]?.[0].id ?? '';
  expect(id).toMatch(/^custom-[0-9a-f]{8}$/);
  expect(commands.setKey).toHaveBeenCalledWith(id, 'secret');
  await person.click(screen.getByRole('button', { name: 'Remove' }));
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'Custom' })).toBeVisible();
});

it('starts an MCP server only after its whole command was seen', async () => {
  const { person, commands } = open('tools');
  expect(await screen.findByText('npx -y files /home')).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Allow and start' }));
  expect(commands.allowMcpServer).toHaveBeenCalledWith('npx -y files /home');
});
