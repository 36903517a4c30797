import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { dollarStop } from '../../../test/fixtures/budgetFixtures';
import { backendWith, renderPart } from '../../../test/render';
import type { Backend } from '../../ipc';
import type { KeyStatus, ProviderKind, ProviderView } from '../../ipc/bindings';
import { ProviderForm } from './ProviderForm';

const kind = (id: string, baseUrl: string | null, more: Partial<ProviderKind> = {}) => ({
  id,
  name: id,
  baseUrl,
  keyless: false,
  keyEnv: [],
  keyFound: null,
  keyPage: null,
  defaultModel: null,
  ...more,
});

const kinds: readonly ProviderKind[] = [
  kind('OpenAI', 'https://api.openai.com/v1', { defaultModel: 'gpt-5.4' }),
  kind('OpenRouter', 'https://openrouter.ai/api/v1'),
  kind('Ollama', 'http://127.0.0.1:11434', { keyless: true }),
  kind('OpenAI-compatible', null, { keyless: true }),
];

function open(
  commands: Partial<Backend['commands']> = {},
  view?: ProviderView,
  offered: readonly ProviderKind[] = kinds,
) {
  const fetchModels = vi.fn(() => Promise.resolve(2));
  const saveProvider = vi.fn(() => Promise.resolve(null));
  const setKey = vi.fn(() => Promise.resolve({ type: 'keychain' as const }));
  const { user } = renderPart(
    <ProviderForm
      {...{ kinds: offered, view }}
      suffix="1"
      session={null}
      focusKey={false}
      onSaved={vi.fn()}
      onRemoved={vi.fn()}
    />,
    backendWith({
      resolveAddress: ({ baseUrl }) => Promise.resolve(`${baseUrl ?? ''}/chat`),
      fetchModels,
      saveProvider,
      setKey,
      ...commands,
    }),
  );
  const choose = async (type: string) => {
    await user.click(screen.getByRole('combobox', { name: 'Type' }));
    await user.click(await screen.findByRole('option', { name: type }));
  };
  const save = () => user.click(screen.getByRole('button', { name: 'Save' }));
  return { user, choose, save, fetchModels, saveProvider, setKey };
}

const field = (name: string) => screen.getByRole('textbox', { name });

const viewOf = (type: string, key: KeyStatus): ProviderView => ({
  config: { id: 'mine', kind: type, name: 'Mine', baseUrl: null },
  address: '',
  key,
  models: [],
});

it('begins where the person goes on', () => {
  open();
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveFocus();
});

it('says which address may be left out, and leads back to one that may not', async () => {
  const invalid = Object.assign(new Error(), { kind: 'invalid', detail: 'address' });
  const { user, choose, save } = open({ saveProvider: () => Promise.reject(invalid) });
  expect(field('Base URL')).toHaveAccessibleDescription(/^Leave it empty/);
  await choose('OpenAI-compatible');
  expect(field('Base URL')).toHaveAccessibleDescription(/^The address of the server/);
  await save();
  expect(await screen.findByRole('alert')).toHaveTextContent(/^This type has no usual address/);
  expect(field('Base URL')).toHaveFocus();
  await user.type(field('Base URL'), 'h');
  expect(field('Base URL')).not.toBeInvalid();
});

it('offers the type whose usual address was typed, and no other', async () => {
  const { user } = open();
  const offer = () => screen.queryByRole('button', { name: /^Use the type/ })?.textContent;
  await user.type(field('Base URL'), 'https://api.openai.com');
  expect(offer()).toBeUndefined();
  await user.clear(field('Base URL'));
  await user.type(field('Base URL'), 'localhost:11434/v1');
  expect(offer()).toBe('Use the type Ollama');
  await user.clear(field('Base URL'));
  await user.type(field('Base URL'), 'https://openrouter.ai/api/v1');
  await user.click(screen.getByRole('button', { name: 'Use the type OpenRouter' }));
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveTextContent('OpenRouter');
  expect(field('Name')).toHaveValue('OpenRouter');
  expect(offer()).toBeUndefined();
});

it('says what is needed to be answered, before and after saving', async () => {
  const noKey = Object.assign(new Error(), { kind: 'noKey', provider: 'OpenAI' });
  const { user, choose, save, fetchModels } = open({
    testProvider: () => Promise.reject(noKey),
  });
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(/type it into the field above first/)).toBeVisible();
  await save();
  expect(await screen.findByText(/^OpenAI is saved\. It needs an API key/)).toBeVisible();
  expect(fetchModels).not.toHaveBeenCalled();
  await choose('OpenAI-compatible');
  expect(field('API key')).toHaveAccessibleDescription('Only if the server asks for one.');
  expect(field('Test with this model')).toHaveValue('');
  expect(field('Test with this model')).toHaveAccessibleDescription(/^Leave it empty/);
});

it('tests a connection without a model by the first that the address lists, and says which', async () => {
  const testProvider = vi.fn(() => Promise.resolve('loom-1'));
  const { user, choose } = open({ testProvider });
  await choose('OpenAI-compatible');
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(/^loom-1 was asked/)).toBeVisible();
  expect(screen.getByText('It works: the model answered.')).toBeVisible();
  expect(testProvider).toHaveBeenLastCalledWith(expect.anything(), null, null);
  await user.type(field('Test with this model'), ' loom-2 ');
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(testProvider).toHaveBeenLastCalledWith(expect.anything(), null, 'loom-2');
  await waitFor(() => {
    expect(screen.queryByText(/was asked/)).toBeNull();
  });
});

it('c04: asks where a budget stops a test, and tests after a yes', async () => {
  const stop = { ...dollarStop, purpose: 'connectionTest' } as const;
  const overBudget = Object.assign(new Error(), { kind: 'overBudget', stop });
  const testProvider = vi.fn(() => Promise.resolve('loom-1')).mockRejectedValueOnce(overBudget);
  const allowOverBudget = vi.fn(() => Promise.resolve(null));
  const { user } = open({ testProvider, allowOverBudget });
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(/The connection was not tested\. Go on\?/)).toBeVisible();
  await act(() => new Promise((resolve) => setTimeout(resolve, 700)));
  await user.click(screen.getByRole('button', { name: 'Send once' }));
  expect(allowOverBudget).toHaveBeenCalledExactlyOnceWith(null, stop, 'once');
  expect(await screen.findByText('It works: the model answered.')).toBeVisible();
  expect(testProvider).toHaveBeenLastCalledWith(expect.anything(), null, 'gpt-5.4');
});

it('leads from a key that is refused to where else it may be from', async () => {
  const env = { keyEnv: ['LOOM_API_KEY'] };
  const twins = [
    kind('Loom (at home)', 'https://loom.cn/v1', env),
    kind('Loom (abroad)', 'https://loom.example/v1', env),
  ];
  const refused = Object.assign(new Error(), { kind: 'unauthorized', status: 401, message: '' });
  const { user } = open({ testProvider: () => Promise.reject(refused) }, undefined, twins);
  await user.type(field('Test with this model'), 'm');
  await user.click(screen.getByRole('button', { name: 'Test connection' }));
  expect(await screen.findByText(/A key of Loom \(abroad\) is not accepted here\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Use the type Loom (abroad)' }));
  expect(screen.getByRole('combobox', { name: 'Type' })).toHaveTextContent('Loom (abroad)');
  expect(screen.queryByText(/is not accepted here/)).toBeNull();
});

it('keeps a key without the space around it, and none that is only space', async () => {
  const { user, save, setKey, fetchModels } = open();
  await user.type(field('API key'), '  ');
  await save();
  expect(await screen.findByText(/It needs an API key/)).toBeVisible();
  expect(setKey).not.toHaveBeenCalled();
  await user.type(field('API key'), ' sk-1 ');
  await save();
  expect(await screen.findByText(/It lists 2 models/)).toBeVisible();
  expect(setKey).toHaveBeenCalledExactlyOnceWith('OpenAI-1', 'sk-1');
  expect(fetchModels).toHaveBeenCalledOnce();
});

it('shows that there is a key, and none where there is none', () => {
  open({}, viewOf('OpenAI', { type: 'at', place: { type: 'keychain' } }));
  expect(field('API key')).toHaveValue('');
  expect(field('API key')).toHaveAttribute('placeholder', '••••••••••••');
  cleanup();
  open({}, viewOf('OpenAI', { type: 'nowhere' }));
  expect(field('API key')).not.toHaveAttribute('placeholder');
});

it('lists the models anew where another address is saved, and not for another name', async () => {
  const at: KeyStatus = { type: 'at', place: { type: 'keychain' } };
  const { user, save, fetchModels } = open({}, viewOf('OpenAI', at));
  await user.type(field('Name'), ' own');
  await save();
  expect(await screen.findByText('Mine own is saved.')).toBeVisible();
  expect(fetchModels).not.toHaveBeenCalled();
  await user.type(field('Base URL'), 'https://loom.example/v1');
  await save();
  expect(await screen.findByText(/It lists 2 models/)).toBeVisible();
});

it('asks before a key is forgotten, which nothing could bring back', async () => {
  const removeKey = vi.fn(() => Promise.resolve(null));
  const view = viewOf('OpenAI', { type: 'at', place: { type: 'keychain' } });
  const { user } = open({ removeKey }, view);
  const forget = screen.getByRole('button', { name: 'Forget the key' });
  await user.click(forget);
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(forget);
  expect(removeKey).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Forget it' }));
  expect(removeKey).toHaveBeenCalledOnce();
});
