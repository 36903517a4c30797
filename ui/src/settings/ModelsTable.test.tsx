import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ModelView, ProviderView } from '../ipc/bindings';
import { answering, show } from '../../test-show';
import { ModelsTable } from './ModelsTable';

const model = (id: string): ModelView => ({
  model: { provider: 'mine', model: id },
  name: id,
  providerName: 'Mine',
  spec: {},
});

it('says how many models the provider lists, not how many are known', async () => {
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [model('a'), model('b'), model('c')],
  };
  const fetchModels = () => Promise.resolve(2);
  const { person } = show(<ModelsTable view={view} />, answering({ fetchModels }));
  await person.click(screen.getByRole('button', { name: 'Fetch models' }));
  expect(await screen.findByText('The provider lists 2 models.')).toBeVisible();
});

it('says how hard a model that reasons is asked to think, and asks no other', async () => {
  const saveModel = vi.fn(() => Promise.resolve(null));
  const thinker = { ...model('thinker'), spec: { reasoning: true } };
  const view: ProviderView = {
    config: { id: 'mine', kind: 'custom', name: 'Mine' },
    address: 'http://localhost:1/v1',
    key: { type: 'nowhere' },
    models: [thinker, model('talker')],
  };
  const { person } = show(<ModelsTable view={view} />, answering({ saveModel }));
  const choice = screen.getByRole('combobox', { name: 'Thinking' });
  expect(choice).toHaveTextContent('As the provider does');
  await person.click(choice);
  await person.click(await screen.findByRole('option', { name: 'Much' }));
  expect(saveModel).toHaveBeenCalledWith('mine', { id: 'thinker', effort: 'high' });
});
