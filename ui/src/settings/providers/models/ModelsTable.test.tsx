import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ModelView, ProviderView } from '../../../ipc/bindings';
import { backendWith, renderPart } from '../../../../test/render';
import { ModelsTable } from './ModelsTable';

const model = (id: string): ModelView => ({
  model: { provider: 'mine', model: id },
  name: id,
  providerName: 'Mine',
  spec: {},
  follows: {
    compactionThreshold: 60,
    outputReserve: 32_000,
    optimalMaxTokens: 100_000,
    criticalMaxTokens: null,
    cautionRemediationCadenceGenerations: 10,
  },
});

it('says how many models the provider lists, not how many are known', async () => {
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [model('a'), model('b'), model('c')],
  };
  const fetchModels = () => Promise.resolve(2);
  const { user } = renderPart(<ModelsTable view={view} />, backendWith({ fetchModels }));
  await user.click(screen.getByRole('button', { name: 'Fetch models' }));
  expect(await screen.findByText('The provider lists 2 models.')).toBeVisible();
});

it('says how hard a model that reasons is asked to think, and asks no other', async () => {
  const changeModel = vi.fn(() => Promise.resolve(null));
  const thinker = { ...model('thinker'), spec: { reasoning: true } };
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [thinker, model('talker')],
  };
  const { user } = renderPart(<ModelsTable view={view} />, backendWith({ changeModel }));
  const choice = screen.getByRole('combobox', { name: 'Thinking' });
  expect(choice).toHaveTextContent('Provider’s default');
  await user.click(choice);
  await user.click(await screen.findByRole('option', { name: 'High' }));
  expect(changeModel).toHaveBeenCalledWith(thinker.model, { type: 'effort', value: 'high' });
});

it('says what a model is asked for that cannot do what was chosen', () => {
  const own = { id: 'thinker', effort: 'off' } as const;
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine', models: [own] },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [{ ...model('thinker'), spec: { reasoning: true }, effortInstead: 'low' }],
  };
  renderPart(<ModelsTable view={view} />, backendWith({}));
  const choice = screen.getByRole('combobox', { name: 'Thinking' });
  expect(choice).toHaveTextContent('Off');
  expect(choice).toHaveAccessibleDescription(
    'This model does not support that. It is asked for this instead: Low',
  );
});

it('fr_4_4 d06 d07 d08: sets what is one model’s own, beside what it has and what it follows', async () => {
  const own = { id: 'a', window: 9_000, limits: { outputReserve: 500 } };
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine', models: [own] },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [model('a')],
  };
  const changeModel = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(<ModelsTable view={view} />, backendWith({ changeModel }));
  await user.click(screen.getByRole('button', { name: 'More settings for a' }));
  const field = (name: RegExp) => screen.getByRole('textbox', { name });
  expect(field(/^Compaction threshold/)).toHaveAccessibleDescription('If left empty: 60');
  expect(field(/^Critical above/)).toHaveAccessibleDescription(/unknown, like the window$/);
  expect(field(/^Room for the answer/)).toHaveValue('500');

  await user.type(field(/^Compaction threshold/), '95{Enter}');
  expect(field(/^Compaction threshold/)).toBeInvalid();
  expect(changeModel).not.toHaveBeenCalled();

  await user.type(field(/^Caution above/), '1,000{Enter}');
  await waitFor(() => {
    const change = { type: 'optimalMaxTokens', value: 1_000 };
    expect(changeModel).toHaveBeenCalledExactlyOnceWith(model('a').model, change);
  });
});

it('takes more fields of a request as JSON, and says where they are none', async () => {
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [model('a')],
  };
  const changeModel = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(<ModelsTable view={view} />, backendWith({ changeModel }));
  await user.click(screen.getByRole('button', { name: 'More settings for a' }));
  const field = screen.getByRole('textbox', { name: /^Extra fields/ });
  await user.click(field);
  await user.paste('{ temperature: 0.2 }');
  await user.tab();
  expect(field).toBeInvalid();
  expect(changeModel).not.toHaveBeenCalled();
  await user.clear(field);
  await user.paste('{ "temperature": 0.2 }');
  await user.tab();
  const change = { type: 'fields', value: { temperature: 0.2 } };
  expect(changeModel).toHaveBeenCalledExactlyOnceWith(model('a').model, change);
});

it('finds a model by its name as well as by its id, and says where there is none', async () => {
  const many = Array.from({ length: 13 }, (_, at) => model(`loom-${at}`));
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [...many, { ...model('c-4'), name: 'Clever Sonnet' }],
  };
  const { user } = renderPart(<ModelsTable view={view} />);
  const rows = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  const filter = screen.getByRole('textbox', { name: 'Filter' });
  await user.type(filter, 'clever s');
  expect(rows()).toEqual([expect.stringContaining('Clever Sonnet')]);
  await user.clear(filter);
  await user.type(filter, 'C-4');
  expect(rows()).toEqual([expect.stringContaining('Clever Sonnet')]);
  await user.type(filter, '2');
  expect(screen.getByRole('status')).toHaveTextContent('Nothing found for “C-42”');
});

it('forgets what was learned of a window, and offers that for no other', async () => {
  const forgetWindow = vi.fn(() => Promise.resolve(null));
  const learned = { ...model('a'), spec: { window: { value: 4_096, source: 'learned' as const } } };
  const listed = { ...model('b'), spec: { window: { value: 8_192, source: 'provider' as const } } };
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [learned, listed],
  };
  const { user } = renderPart(<ModelsTable view={view} />, backendWith({ forgetWindow }));
  await user.click(screen.getByRole('button', { name: /^Forget what was learned/ }));
  expect(forgetWindow).toHaveBeenCalledWith({ provider: 'mine', model: 'a' });
});

it('fr_3_3: says what is assumed of a model that nobody has heard of, and of no other', async () => {
  const known = {
    ...model('known'),
    spec: { window: { value: 9_000, source: 'person' as const } },
    limit: 9_000,
  };
  const viewWith = (one: ModelView): ProviderView => ({
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [one],
  });
  const { user, rerender } = renderPart(<ModelsTable view={viewWith(model('new'))} />);
  const window = () => screen.getByRole('textbox', { name: 'Context window' });
  expect(window()).toHaveAccessibleDescription('Unknown: 96,000 assumed');
  expect(screen.getByRole('textbox', { name: 'Max output' })).toHaveAccessibleDescription(
    'Unknown: the provider decides',
  );
  await user.click(screen.getByRole('button', { name: 'More settings for new' }));
  expect(screen.getByText(/^The context window of this model is unknown/)).toBeVisible();
  rerender(<ModelsTable view={viewWith(known)} />);
  await user.click(screen.getByRole('button', { name: 'More settings for known' }));
  expect(window()).toHaveAccessibleDescription('set by you');
  expect(screen.queryByText(/^The context window of this model is unknown/)).toBeNull();
});

it.each([
  ['available', /one request with this model/],
  ['refused', /refused its own compaction/],
] as const)('w05: lets a provider with a compaction write the summary: %s', async (state, hint) => {
  const view: ProviderView = {
    config: { id: 'mine', kind: 'anthropic', name: 'Mine' },
    address: 'https://api.anthropic.com/v1',
    key: { type: 'nowhere' },
    models: [{ ...model('claude'), providerCompaction: state }, model('older')],
  };
  const changeModel = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(<ModelsTable view={view} />, backendWith({ changeModel }));
  await user.click(screen.getByRole('button', { name: 'More settings for older' }));
  expect(screen.queryByRole('combobox', { name: 'Who writes the summary' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'More settings for claude' }));
  const choice = screen.getByRole('combobox', { name: 'Who writes the summary' });
  expect(choice).toHaveTextContent('Skein');
  expect(choice).toHaveAccessibleDescription(hint);
  await user.click(choice);
  await user.click(await screen.findByRole('option', { name: 'The provider itself' }));
  const change = { type: 'summaryWriter', value: 'provider' };
  expect(changeModel).toHaveBeenCalledWith({ provider: 'mine', model: 'claude' }, change);
});
