import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { KeyStatus, ModelRef, ProviderKind, ProviderView, Thread } from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { idleSessionItem, emptyThread } from '../../../test/fixtures/conversationFixtures';
import { backendWith, renderPart } from '../../../test/render';
import { Welcome } from './Welcome';

const own = { provider: 'p', model: 'weaver-1' };
const demo = emptySession.model;

function open(model: ModelRef, threads: readonly Thread[] = []) {
  renderPart(
    <Welcome sessionId={1} navigation={{ toProvider: vi.fn(), toSettings: vi.fn() }} />,
    backendWith({
      session: () => Promise.resolve({ ...emptySession, model, threads: [...threads] }),
      models: () =>
        Promise.resolve([
          { model: demo, name: 'demo-8k', providerName: 'demo', spec: {}, follows: {} },
          { model: own, name: 'Weaver', providerName: 'P', spec: {}, follows: {} },
        ]),
      localServers: () => Promise.resolve([]),
    }),
  );
}

it('speaks of the demo, and of adding a provider, where the demo answers', async () => {
  open(demo);
  expect(await screen.findByText(/^Write below to talk to the built-in demo/)).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Add a provider' })).toBeVisible();
});

it('only names the model where one of the person’s answers', async () => {
  open(own);
  expect(await screen.findByText('Answers come from Weaver.')).toBeVisible();
  expect(screen.queryByText(/demo/)).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Add a provider' })).not.toBeInTheDocument();
});

it('says in a further thread of a session only that it is a new one, and who answers', async () => {
  open(own, [emptyThread(2), emptyThread(1)]);
  expect(await screen.findByRole('heading', { name: 'New thread' })).toBeVisible();
  expect(await screen.findByText('Answers come from Weaver.')).toBeVisible();
  expect(screen.queryByText(/Skein|never have to end/)).toBeNull();
});

it('promises nothing where the provider has been removed, and offers another', async () => {
  open({ provider: 'gone', model: 'weaver-1' });
  expect(await screen.findByRole('button', { name: 'Add a provider' })).toBeVisible();
  expect(screen.queryByText(/Answers come|demo/)).not.toBeInTheDocument();
});

const loom: ProviderKind = {
  id: 'loom',
  name: 'Loom',
  baseUrl: null,
  keyless: false,
  keyEnv: [],
  keyFound: null,
  keyPage: null,
  defaultModel: 'weaver-1',
};
const kept: KeyStatus = { type: 'at', place: { type: 'keychain' } };

/** A provider whose kind is known for its second model. */
function provider(id: string, key: KeyStatus, kind = 'loom'): ProviderView {
  const view = (model: string, name: string) => ({
    model: { provider: id, model },
    name,
    providerName: id,
    spec: {},
    follows: {},
  });
  return {
    config: { id, kind, name: id },
    address: 'https://loom.example',
    key,
    models: [view('abacus', 'Abacus'), view('weaver-1', 'Weaver')],
  };
}

function openWith(providers: ProviderView[], sessions = [idleSessionItem]) {
  const setModel = vi.fn(() => Promise.resolve(null));
  const renewModels = vi.fn(() => Promise.resolve(null));
  const navigation = { toProvider: vi.fn(), toSettings: vi.fn() };
  const shown = renderPart(
    <Welcome sessionId={1} navigation={navigation} />,
    backendWith({
      setModel,
      renewModels,
      localServers: () => Promise.resolve([]),
      sessions: () => Promise.resolve(sessions),
      providers: () => Promise.resolve(providers),
      providerKinds: () => Promise.resolve([loom, { ...loom, id: 'own', keyless: true }]),
    }),
  );
  return { ...shown, setModel, renewModels, navigation };
}

it('asks for the models of a provider that came with the settings file', async () => {
  const { renewModels } = openWith([provider('P', kept)]);
  await screen.findByRole('button', { name: 'P is set up: use Weaver' });
  expect(renewModels).toHaveBeenCalledOnce();
});

it('offers the models that can answer, the provider added last first of all', async () => {
  const { user, setModel } = openWith([
    provider('P', kept),
    provider('Q', { type: 'nowhere' }, 'own'),
    provider('R', { type: 'unknown', fault: { kind: 'keychain', detail: 'locked' } }),
  ]);
  await screen.findByRole('button', { name: 'P is set up: use Weaver' });
  const buttons = screen.getAllByRole('button').filter(({ dataset }) => dataset.kind);
  expect(buttons.map(({ textContent, dataset }) => [textContent, dataset.kind])).toEqual([
    ['R is set up: use Weaver', 'primary'],
    ['Q is set up: use Weaver', 'plain'],
    ['P is set up: use Weaver', 'plain'],
    ['Add a provider', 'plain'],
    ['Import conversations from another program…', 'quiet'],
  ]);
  await user.click(screen.getByRole('button', { name: 'P is set up: use Weaver' }));
  expect(setModel).toHaveBeenCalledExactlyOnceWith(1, { provider: 'P', model: 'weaver-1' });
});

it('does not offer a provider without its key, and leads to where it is given one', async () => {
  const { user, navigation } = openWith([provider('P', { type: 'nowhere' })]);
  expect(await screen.findByText(/^“P” has no API key yet\./)).toBeVisible();
  expect(screen.queryByRole('button', { name: /is set up/ })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Open providers' }));
  expect(navigation.toProvider).toHaveBeenCalledExactlyOnceWith('P');
});

it('leads to the import where no other session is, and nowhere else', async () => {
  const { user, navigation, unmount } = openWith([]);
  await user.click(await screen.findByRole('button', { name: /^Import conversations/ }));
  expect(navigation.toSettings).toHaveBeenCalledExactlyOnceWith('data');
  unmount();
  openWith([], [idleSessionItem, { ...idleSessionItem, id: 2 }]);
  await screen.findByRole('button', { name: 'Add a provider' });
  expect(screen.queryByRole('button', { name: /^Bring/ })).not.toBeInTheDocument();
});
