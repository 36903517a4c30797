import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ProviderView } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { answering, show } from '../../test-show';
import { ContextDialog } from './ContextDialog';

const model = { provider: 'p', model: 'weaver-1' };
const provider: ProviderView = {
  config: {
    id: 'p',
    kind: 'custom',
    name: 'P',
    models: [{ id: 'weaver-1', maxOutput: 4_096 }],
  },
  address: '',
  key: null,
  models: [],
};

it('sets the window it suggests beside what else the person has set for the model', async () => {
  const saveModel = vi.fn(() => Promise.resolve(null));
  const { person } = show(
    <ContextDialog view={{ ...plainSession, model }} onClose={() => undefined} />,
    answering({
      estimate: () =>
        Promise.resolve({
          used: { tokens: 9, basis: 'exact' },
          window: null,
          actsAt: null,
          model,
        }),
      providers: () => Promise.resolve([provider]),
      saveModel,
    }),
  );
  await person.click(await screen.findByRole('button', { name: 'Use 96,000' }));
  await vi.waitFor(() => {
    expect(saveModel).toHaveBeenCalledWith('p', {
      id: 'weaver-1',
      maxOutput: 4_096,
      window: 96_000,
    });
  });
});

it('says why the switch of this session could not be set', async () => {
  const { person } = show(
    <ContextDialog view={plainSession} onClose={() => undefined} />,
    answering({ setOverrides: () => Promise.reject(new Error('the disk is gone')) }),
  );
  const name = 'Auto-compaction (this session)';
  await vi.waitFor(() => {
    expect(screen.getByRole('switch', { name })).toBeEnabled();
  });
  await person.click(screen.getByRole('switch', { name }));
  expect(await screen.findByRole('alert')).toHaveTextContent('the disk is gone');
});
