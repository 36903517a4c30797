import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ModelView, ProviderView } from '../../src/ipc/bindings';
import { backendWith, renderApp } from '../render';
import { fakeBackend, emptySession, defaultSettings, settingsViewOf } from '../fakeBackend';
import { unknownWindowNumbers } from '../fixtures/healthFixtures';
import { unknownMessageCost } from '../fixtures/costFixtures';

const weaver = unknownWindowNumbers.model;
const models: ModelView[] = ['spinner-1', weaver.model].map((id) => ({
  model: { provider: weaver.provider, model: id },
  name: id,
  providerName: 'Loom',
  spec: {},
  follows: {},
}));
const loom: ProviderView = {
  config: { id: weaver.provider, kind: 'custom', name: 'Loom' },
  address: 'http://localhost:1/v1',
  key: { type: 'nowhere' },
  models,
};

/** A window with a model of which nobody knows what it holds. */
function open() {
  const memory = fakeBackend();
  const used = { tokens: 820, basis: 'exact' } as const;
  const backend = backendWith({
    session: () => Promise.resolve({ ...emptySession, model: weaver }),
    settings: () => Promise.resolve(settingsViewOf(defaultSettings)),
    models: async () => [...(await memory.commands.models()), ...models],
    providers: () => Promise.resolve([loom]),
    providerKinds: () => Promise.resolve([]),
    strategies: () => Promise.resolve(unknownWindowNumbers),
    previewModel: () =>
      Promise.resolve({ consequence: 'unknown', used, limit: null, reading: null }),
    setModel: () => Promise.resolve(null),
    estimate: () =>
      Promise.resolve({
        used,
        limit: null,
        window: null,
        spread: null,
        cost: unknownMessageCost,
        actsAt: null,
        actsShare: null,
        due: null,
        model: weaver,
      }),
  });
  return renderApp(backend);
}

/** The field that a way leads to has the focus, and it is that of the model alone. */
const isAsked = async () => {
  const row = await screen.findByRole('row', { name: /^weaver-1/ });
  const settings = screen.getByRole('dialog', { name: 'Settings' });
  const field = within(row).getByRole('textbox', { name: 'Context window' });
  await waitFor(() => {
    expect(field).toHaveFocus();
  });
  expect(within(settings).getByRole('tab', { name: 'Providers', selected: true })).toBeVisible();
  expect(within(settings).getByRole('button', { name: 'Loom' })).toHaveAttribute('aria-current');
  return settings;
};

it('fr_3_3: leads from the estimate to the field in which the window is set, and back', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Context estimate' }));
  await screen.findByText(/^This model has no context window set\./);
  const estimate = screen.getByRole('dialog', { name: 'Context estimate' });
  await user.click(within(estimate).getByRole('button', { name: 'Set its window' }));
  const settings = await isAsked();
  await user.click(within(settings).getByRole('button', { name: 'Close' }));
  expect(estimate).toBeVisible();
});

it('fr_3_3: leads there from what was said as the model was chosen', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('combobox', { name: 'Model' }));
  await user.click(await screen.findByRole('option', { name: /spinner-1/ }));
  const toast = await screen.findByText(
    'spinner-1 answers from now on. Its context window is unknown.',
  );
  const [way] = within(toast.parentElement ?? toast).getAllByRole('button');
  expect(way).toHaveAccessibleName('Set its window');
  await user.click(screen.getByRole('button', { name: 'Set its window' }));
  const row = await screen.findByRole('row', { name: /^spinner-1/ });
  await waitFor(() => {
    expect(within(row).getByRole('textbox', { name: 'Context window' })).toHaveFocus();
  });
});

it('fr_3_3: leads there from the settings of what happens as the context fills up', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Set its window' }));
  await isAsked();
});
