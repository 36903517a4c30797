import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ProviderKind, ProviderView } from '../../ipc/bindings';
import { emptySession, settingsViewOf, defaultSettings } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import { SettingsDialog } from './SettingsDialog';

const loom: ProviderKind = {
  id: 'loom',
  name: 'Loom',
  baseUrl: 'https://loom.example/v1',
  keyless: false,
  keyEnv: [],
  keyFound: null,
  keyPage: 'https://loom.example/keys',
  defaultModel: 'weaver-1',
};

const loomed: ProviderView = {
  config: { id: 'loom-1', kind: 'loom', name: 'Loom' },
  address: '',
  key: { type: 'nowhere' },
  models: [],
};

/** The form of a new provider or of this one, opened from a session that this model answers. */
async function adding(model = emptySession.model, provider: ProviderView | null = null) {
  let providers: ProviderView[] = provider ? [provider] : [];
  const commands = {
    settings: () => Promise.resolve(settingsViewOf(defaultSettings)),
    session: () => Promise.resolve({ ...emptySession, model }),
    providers: () => Promise.resolve(providers),
    providerKinds: () => Promise.resolve([loom]),
    localServers: () => Promise.resolve([]),
    resolveAddress: () => Promise.resolve('https://loom.example/v1/chat/completions'),
    saveProvider: vi.fn((config: ProviderView['config']) => {
      providers = [{ config, address: '', key: { type: 'nowhere' as const }, models: [] }];
      return Promise.resolve(null);
    }),
    setKey: vi.fn(() => Promise.resolve({ type: 'keychain' as const })),
    fetchModels: (id: string) => {
      const view = (name: string) => ({
        model: { provider: id, model: name.toLowerCase() },
        name,
        providerName: 'Loom',
        spec: {},
        follows: {},
      });
      const models = [view('Abacus'), view('Weaver-1')];
      providers = providers.map((provider) => ({ ...provider, models }));
      return Promise.resolve(2);
    },
    setModel: vi.fn(() => Promise.resolve(null)),
  };
  const backend = backendWith(commands);
  const openLink = vi.spyOn(backend.desktop, 'openLink');
  const place = { page: 'providers', provider: provider?.config.id ?? null } as const;
  const shown = renderPart(
    <SettingsDialog session={1} place={place} onClose={() => undefined} />,
    backend,
  );
  const key = await screen.findByRole('textbox', { name: 'API key' });
  return { ...shown, commands, openLink, key };
}

const save = () => screen.getByRole('button', { name: 'Save' });

it('offers the model of the first provider to a session that the demo answers', async () => {
  const { user, key, commands } = await adding();
  await user.type(key, 'secret');
  await user.click(save());
  await user.click(await screen.findByRole('button', { name: 'Use Weaver-1 here' }));
  const id = commands.saveProvider.mock.calls[0]?.[0].id;
  expect(commands.setModel).toHaveBeenCalledExactlyOnceWith(1, { provider: id, model: 'weaver-1' });
  expect(await screen.findByText('Loom is set up with Weaver-1.')).toBeVisible();
});

it('offers nothing where a model of the person’s answers', async () => {
  const { user, key } = await adding({ provider: 'p', model: 'm' });
  await user.type(key, 'secret');
  await user.click(save());
  expect(await screen.findByText(/^Loom is saved\. It lists 2 models/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Use/ })).not.toBeInTheDocument();
});

it('shows a key while it is typed, and hides the next', async () => {
  const { user, key } = await adding();
  expect(screen.queryByRole('button', { name: 'Show the key' })).not.toBeInTheDocument();
  await user.type(key, 'secret');
  expect(key).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show the key' }));
  expect(key).toHaveAttribute('type', 'text');
  await user.clear(key);
  await user.type(key, 's');
  expect(key).toHaveAttribute('type', 'password');
});

it('opens the page where a key is had in the browser, when it is asked to', async () => {
  const { user, openLink } = await adding();
  expect(openLink).not.toHaveBeenCalled();
  await user.click(screen.getByRole('link', { name: 'Get a key' }));
  expect(openLink).toHaveBeenCalledExactlyOnceWith('https://loom.example/keys');
});

it('leads to the key of a provider that is asked for, and not once another is looked at', async () => {
  const { user, key } = await adding(emptySession.model, loomed);
  expect(key).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Add provider' }));
  const loom = screen.getByRole('button', { name: 'Loom' });
  await user.click(loom);
  expect(loom).toHaveFocus();
});
