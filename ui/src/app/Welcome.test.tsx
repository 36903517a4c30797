import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ModelRef } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { answering, show } from '../../test-show';
import { Welcome } from './Welcome';

const own = { provider: 'p', model: 'weaver-1' };
const demo = plainSession.model;

function open(model: ModelRef) {
  show(
    <Welcome sessionId={1} onProvider={() => undefined} />,
    answering({
      session: () => Promise.resolve({ ...plainSession, model }),
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
  expect(await screen.findByText('Weaver will answer.')).toBeVisible();
  expect(screen.queryByText(/demo/)).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Add a provider' })).not.toBeInTheDocument();
});

it('promises nothing where the provider has been removed, and offers another', async () => {
  open({ provider: 'gone', model: 'weaver-1' });
  expect(await screen.findByRole('button', { name: 'Add a provider' })).toBeVisible();
  expect(screen.queryByText(/will answer|demo/)).not.toBeInTheDocument();
});

it('offers the model of a provider that was set up meanwhile, with one press', async () => {
  const setModel = vi.fn(() => Promise.resolve(null));
  const known = { model: own, name: 'Weaver', providerName: 'P', spec: {}, follows: {} };
  const other = { ...known, model: { ...own, model: 'abacus' }, name: 'Abacus' };
  const { person } = show(
    <Welcome sessionId={1} onProvider={() => undefined} />,
    answering({
      setModel,
      localServers: () => Promise.resolve([]),
      providers: () =>
        Promise.resolve([
          {
            config: { id: 'p', kind: 'loom', name: 'P' },
            address: 'https://loom.example',
            key: { type: 'nowhere' },
            models: [other, known],
          },
        ]),
      providerKinds: () =>
        Promise.resolve([
          {
            id: 'loom',
            name: 'Loom',
            format: 'chat',
            baseUrl: null,
            keyless: false,
            keyEnv: [],
            keyFound: null,
            defaultModel: 'weaver-1',
          },
        ]),
    }),
  );
  await person.click(await screen.findByRole('button', { name: 'P is set up: use Weaver' }));
  expect(setModel).toHaveBeenCalledExactlyOnceWith(1, own);
});
