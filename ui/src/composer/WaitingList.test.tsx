import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Waiting } from '../ipc/bindings';
import { show } from '../../test-show';
import { WaitingList } from './WaitingList';

const message: Waiting = {
  id: 1,
  parts: [{ type: 'text', text: 'Wool?' }],
  forBox: false,
  createdAt: 0,
};
const list = (waiting: readonly Waiting[], running: boolean) => (
  <WaitingList
    sessionId={1}
    waiting={waiting}
    running={running}
    onTakeBack={() => Promise.resolve()}
    onWaitAgain={() => Promise.resolve()}
  />
);
const sendNow = () => screen.queryByRole('button', { name: 'Send now' });

it('says that a message waits for the reply to end', () => {
  show(list([message], true));
  expect(screen.getByRole('status')).toHaveTextContent(
    'This message will be sent when the reply has ended.',
  );
  expect(sendNow()).not.toBeInTheDocument();
});

it('says of a message between two turns that it is being sent, and only later that it was not', async () => {
  const { rerender } = show(list([], false));
  rerender(list([message], false));
  expect(screen.getByRole('status')).toHaveTextContent('This message is being sent.');
  expect(sendNow()).not.toBeInTheDocument();
  expect(await screen.findByText('This message has not been sent yet.')).toBeVisible();
  expect(sendNow()).toBeVisible();
});

it('lets what was found waiting at the start be sent at once', () => {
  show(list([message], false));
  expect(screen.getByRole('status')).toHaveTextContent('This message has not been sent yet.');
  expect(sendNow()).toBeVisible();
});
