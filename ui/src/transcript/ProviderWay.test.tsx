import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { Error as Fault, ModelView } from '../ipc/bindings';
import { plainMessage } from '../ipc/plainConversation';
import { Ending } from './Ending';
import { ProviderWay } from './ProviderWay';

const models: ModelView[] = ['weaver-1', 'spinner-1'].map((id) => ({
  model: { provider: 'loom', model: id },
  name: id,
  providerName: 'Loom',
  spec: {},
  follows: {},
}));

const message = 'Nothing is left.';

it('leads to the providers where an account is spent', async () => {
  const toProviders = vi.fn();
  const fault = { kind: 'spent', message } as const;
  const { person } = show(<ProviderWay fault={fault} sessionId={1} onProviders={toProviders} />);
  await person.click(screen.getByRole('button', { name: 'Open providers' }));
  expect(toProviders).toHaveBeenCalledOnce();
});

it('offers the other models where one is not offered any more', async () => {
  const setModel = vi.fn(() => Promise.resolve(null));
  const fault = { kind: 'unknownModel', model: 'weaver-1', message } as const;
  const { person } = show(
    <ProviderWay fault={fault} sessionId={1} onProviders={() => undefined} />,
    answering({ models: () => Promise.resolve(models), setModel }),
  );
  await person.click(await screen.findByRole('combobox', { name: 'Choose another model' }));
  expect(await screen.findByRole('option', { name: 'spinner-1' })).toBeVisible();
  expect(screen.queryByRole('option', { name: 'weaver-1' })).toBeNull();
  await person.click(screen.getByRole('option', { name: 'spinner-1' }));
  expect(setModel).toHaveBeenCalledWith(1, { provider: 'loom', model: 'spinner-1' });
});

it('says to start a server of this machine, and nothing of the network', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const fault: Fault = { kind: 'notRunning', host: 'localhost:11434', provider: 'Ollama' };
  const failed = plainMessage(2, { state: { type: 'failed', error: JSON.stringify(fault) } });
  show(
    <Ending
      message={failed}
      sessionId={1}
      last
      onContinue={() => Promise.resolve()}
      onProviders={() => undefined}
    />,
  );
  expect(screen.getByText(/localhost:11434 does not answer. Start Ollama/)).toBeVisible();
  expect(screen.queryByText(/This machine is offline/)).toBeNull();
  onLine.mockRestore();
});
