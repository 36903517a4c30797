import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { BackendProvider } from '../../ipc';
import { fakeBackend } from '../../../test/fakeBackend';
import { ToastProvider } from '../../kit/notifications/Toast';
import { ExportDialog } from './ExportDialog';

function open(target: string | null) {
  const backend = fakeBackend();
  const exportSession = vi.fn(() => Promise.resolve(null));
  Object.assign(backend.commands, { exportSession });
  const pickTarget = vi.fn(() => Promise.resolve(target));
  backend.desktop.pickTarget = pickTarget;
  const onClose = vi.fn();
  render(
    <ToastProvider>
      <BackendProvider value={backend}>
        <ExportDialog sessionId={7} title={'Wool: a/b?'} onClose={onClose} />
      </BackendProvider>
    </ToastProvider>,
  );
  return { exportSession, pickTarget, onClose, user: userEvent.setup() };
}

it('writes the session in the chosen format at the chosen place, under a name every system takes', async () => {
  const { exportSession, pickTarget, onClose, user } = open('/f/wool.html');
  await user.click(await screen.findByRole('radio', { name: 'HTML' }));
  await user.click(screen.getByRole('button', { name: 'Choose where…' }));
  expect(pickTarget).toHaveBeenCalledWith('Export “Wool: a/b?”', 'Wool a b.html', [
    { name: 'HTML', endings: ['html'] },
  ]);
  const words = expect.objectContaining({ language: 'en', you: 'You' }) as unknown;
  expect(exportSession).toHaveBeenCalledWith(7, 'html', words, '/f/wool.html');
  expect(onClose).toHaveBeenCalled();
});

it('writes nothing where no place is chosen, and stays open', async () => {
  const { exportSession, onClose, user } = open(null);
  await user.click(await screen.findByRole('button', { name: 'Choose where…' }));
  expect(exportSession).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});
