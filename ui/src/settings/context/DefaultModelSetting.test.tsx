import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ModelRef, ModelView, Settings } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { DefaultModelSetting } from './DefaultModelSetting';

const demo: ModelRef = { provider: 'demo', model: 'demo-8k' };
const weaver: ModelRef = { provider: 'loom', model: 'weaver-1' };
const viewOf = (model: ModelRef, name: string): ModelView => ({
  model,
  name,
  providerName: 'Loom',
  spec: {},
  follows: {},
});
const both = [viewOf(demo, 'demo-8k'), viewOf(weaver, 'Weaver')];

function open(defaultModel: ModelRef | null, models = both) {
  const save = vi.fn<(change: (settings: Settings) => Settings) => void>();
  const settings = { ...defaultSettings, defaultModel };
  const field = <DefaultModelSetting {...{ settings, save }} />;
  return { save, ...renderPart(field, backendWith({ models: () => Promise.resolve(models) })) };
}

const box = () => screen.findByRole('combobox', { name: 'Model of new sessions' });

it('names the demo where none was chosen, finds another by its id, and keeps it', async () => {
  const { user, save } = open(null);
  expect(await box()).toHaveTextContent('demo-8k');
  await user.click(await box());
  await user.keyboard('weaver-1');
  await user.click(await screen.findByRole('option', { name: 'Weaver' }));
  expect(save.mock.calls[0]?.[0](defaultSettings)).toEqual({
    ...defaultSettings,
    defaultModel: weaver,
  });
});

it('names one that is there no more', async () => {
  open({ provider: 'gone', model: 'spinner-1' });
  expect(await box()).toHaveTextContent('spinner-1');
});

it('asks nothing while there is only the demo', async () => {
  const models = vi.fn(() => Promise.resolve(both.slice(0, 1)));
  const field = <DefaultModelSetting settings={defaultSettings} save={() => undefined} />;
  renderPart(field, backendWith({ models }));
  await waitFor(() => {
    expect(models).toHaveBeenCalledOnce();
  });
  await act(() => Promise.resolve());
  expect(screen.queryByRole('combobox')).toBeNull();
});
