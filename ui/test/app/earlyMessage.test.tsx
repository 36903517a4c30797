import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { emptySession } from '../fakeBackend';
import { backendWith, renderApp } from '../render';

const body = vi.hoisted(() => ({ load: (): void => undefined }));

vi.mock(import('../../src/app/conversation/ConversationBody'), async (original) => {
  await new Promise<void>((loaded) => {
    body.load = loaded;
  });
  return original();
});

it('h01_says_that_a_message_was_sent_while_the_transcript_was_loading', async () => {
  const { user } = renderApp(backendWith({ send: () => new Promise(() => undefined) }));
  await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'hello{Enter}');
  expect(screen.queryByRole('log', { name: 'Conversation' })).toBeNull();
  body.load();
  expect(await screen.findByText('Message sent.')).toBeInTheDocument();
});

it('h01_says_of_no_reply_that_ran_before_the_session_was_opened_that_a_message_was_sent', async () => {
  const view = { ...emptySession, activity: 'replying' as const };
  const never = () => new Promise<never>(() => undefined);
  renderApp(backendWith({ session: () => Promise.resolve(view), watch: never }));
  expect(await screen.findByRole('log', { name: 'Conversation' })).toBeInTheDocument();
  expect(await screen.findByRole('button', { name: 'Stop' })).toBeInTheDocument();
  expect(screen.queryByText('Message sent.')).toBeNull();
});
