import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { QueuedMessage } from '../../ipc/bindings';
import { backendWith, renderPart } from '../../../test/render';
import { QueuedMessages } from './QueuedMessages';

const message: QueuedMessage = {
  id: 1,
  parts: [{ type: 'text', text: 'Wool?' }],
  forBox: false,
  createdAt: 0,
};
const list = (queued: readonly QueuedMessage[], running: boolean) => (
  <QueuedMessages
    sessionId={1}
    queued={queued}
    running={running}
    onEdit={() => Promise.resolve()}
  />
);
const sendNow = () => screen.queryByRole('button', { name: 'Send now' });

it('says that a message waits for the reply to end', () => {
  renderPart(list([message], true));
  expect(screen.getByRole('status')).toHaveTextContent(
    'This message will be sent when the reply has ended.',
  );
  expect(sendNow()).not.toBeInTheDocument();
});

it('says of a message between two turns that it is being sent, and only later that it was not', async () => {
  const { rerender } = renderPart(list([], false));
  rerender(list([message], false));
  expect(screen.getByRole('status')).toHaveTextContent('This message is being sent.');
  expect(sendNow()).not.toBeInTheDocument();
  expect(await screen.findByText('This message has not been sent yet.')).toBeVisible();
  expect(sendNow()).toBeVisible();
});

it('lets what was found waiting at the start be sent at once', () => {
  renderPart(list([message], false));
  expect(screen.getByRole('status')).toHaveTextContent('This message has not been sent yet.');
  expect(sendNow()).toBeVisible();
});

it('has one that was removed wait again as it did', async () => {
  const removeWaiting = vi.fn(() => Promise.resolve(null));
  const restoreWaiting = vi.fn(() => Promise.resolve(null));
  const backend = backendWith({ removeWaiting, restoreWaiting });
  const forBox: QueuedMessage = { ...message, id: 2, forBox: true };
  const { user } = renderPart(list([message, forBox], true), backend);
  const [, second] = screen.getAllByRole('button', { name: 'Remove “Wool?”' });
  if (second) await user.click(second);
  expect(removeWaiting).toHaveBeenCalledExactlyOnceWith(1, 2);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(restoreWaiting).toHaveBeenCalledExactlyOnceWith(1, forBox);
});
