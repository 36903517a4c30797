import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ModelRef, ModelView, SwitchPreview } from '../../ipc/bindings';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { RegenerateDialog } from './RegenerateDialog';

const ref = (model: string): ModelRef => ({ provider: 'loom', model });
const models = ['warp', 'weft', 'reed'].map((id): ModelView => ({
  model: ref(id),
  name: id,
  providerName: 'Loom',
  spec: {},
  follows: {},
}));
const fits: SwitchPreview = {
  consequence: 'fits',
  reading: null,
  used: { tokens: 9_000, basis: 'exact' },
  limit: 8_000,
};

function open(preview: SwitchPreview = fits, recent: readonly string[] = []) {
  const regenerate = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  const setModel = vi.fn(() => Promise.resolve(null));
  const settings = { ...defaultSettings, recentModels: recent.map(ref) };
  const shown = renderPart(
    <RegenerateDialog answer={3} by={ref('warp')} sessionId={1} onClose={() => undefined} />,
    backendWith({
      models: () => Promise.resolve(models),
      settings: () => Promise.resolve(settingsViewOf(settings)),
      previewModel: () => Promise.resolve(preview),
      stop: () => Promise.resolve(null),
      regenerate,
      setModel,
    }),
  );
  return { ...shown, regenerate, setModel };
}

const go = () => screen.getByRole('button', { name: 'Regenerate' });

it('asks the chosen model for this one answer, and leaves the session its own', async () => {
  const { user, regenerate, setModel } = open();
  expect(go()).toBeDisabled();
  await user.click(screen.getByRole('combobox', { name: 'Model' }));
  await user.click(await screen.findByRole('option', { name: 'reed' }));
  await user.click(go());
  await waitFor(() => {
    expect(regenerate).toHaveBeenCalledExactlyOnceWith(1, 3, ref('reed'), expect.anything());
  });
  expect(setModel).not.toHaveBeenCalled();
});

it('begins with the model that was chosen last and did not write the answer', async () => {
  const { user, regenerate } = open(fits, ['warp', 'weft']);
  await waitFor(() => {
    expect(screen.getByRole('combobox', { name: 'Model' })).toHaveTextContent('weft');
  });
  await user.click(go());
  await waitFor(() => {
    expect(regenerate).toHaveBeenCalledExactlyOnceWith(1, 3, ref('weft'), expect.anything());
  });
});

it('us_5 says before what it would do to a conversation that it does not hold', async () => {
  open({ ...fits, consequence: 'compacts' }, ['weft']);
  expect(
    await screen.findByText(/9,000 tokens; weft takes 8,000\. .*compacted first/),
  ).toBeVisible();
});
