import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Error as AppError, ModelView } from '../../ipc/bindings';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { MessageStatus } from './MessageStatus';
import { FixProviderLink } from './FixProviderLink';

const models: ModelView[] = ['weaver-1', 'spinner-1'].map((id) => ({
  model: { provider: 'loom', model: id },
  name: id,
  providerName: 'Loom',
  spec: {},
  follows: {},
}));

const message = 'Nothing is left.';

it('leads to the provider where an account is spent', async () => {
  const toProvider = vi.fn();
  const fault = { kind: 'spent', message } as const;
  const { user } = renderPart(
    <FixProviderLink fault={fault} sessionId={1} onProvider={toProvider} />,
  );
  await user.click(await screen.findByRole('button', { name: 'Open providers' }));
  expect(toProvider).toHaveBeenCalledExactlyOnceWith('demo');
});

it('leads to the provider whose model was asked instead of that of the session', async () => {
  const toProvider = vi.fn();
  const fault: AppError = { kind: 'unauthorized', status: 401, message };
  const failed = assistantMessage(2, {
    model: { provider: 'loom', model: 'weaver-1' },
    state: { type: 'failed', error: JSON.stringify(fault) },
  });
  const ending = { message: failed, sessionId: 1, last: true, onContinue: () => Promise.resolve() };
  const { user } = renderPart(<MessageStatus {...ending} onProvider={toProvider} />);
  await user.click(await screen.findByRole('button', { name: 'Open providers' }));
  expect(toProvider).toHaveBeenCalledExactlyOnceWith('loom');
});

it('offers the other models where one is not offered any more', async () => {
  const setModel = vi.fn(() => Promise.resolve(null));
  const fault = { kind: 'unknownModel', model: 'weaver-1', message } as const;
  const { user } = renderPart(
    <FixProviderLink fault={fault} sessionId={1} onProvider={() => undefined} />,
    backendWith({ models: () => Promise.resolve(models), setModel }),
  );
  await user.click(await screen.findByRole('combobox', { name: 'Choose another model' }));
  expect(await screen.findByRole('option', { name: 'spinner-1' })).toBeVisible();
  expect(screen.queryByRole('option', { name: 'weaver-1' })).toBeNull();
  await user.click(screen.getByRole('option', { name: 'spinner-1' }));
  expect(setModel).toHaveBeenCalledWith(1, { provider: 'loom', model: 'spinner-1' });
});

it('says to start a server of this machine, and nothing of the network', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const fault: AppError = { kind: 'notRunning', host: 'localhost:11434', provider: 'Ollama' };
  const failed = assistantMessage(2, { state: { type: 'failed', error: JSON.stringify(fault) } });
  renderPart(
    <MessageStatus
      message={failed}
      sessionId={1}
      last
      onContinue={() => Promise.resolve()}
      onProvider={() => undefined}
    />,
  );
  expect(screen.getByText(/localhost:11434 does not answer. Start “Ollama”/)).toBeVisible();
  expect(screen.queryByText(/This machine is offline/)).toBeNull();
  onLine.mockRestore();
});
