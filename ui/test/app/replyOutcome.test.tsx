import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderApp } from '../render';
import type { Activity } from '../../src/ipc/bindings';
import { emptySession } from '../fakeBackend';
import { transcriptPage, assistantMessage, emptyThread } from '../fixtures/conversationFixtures';
import { turnStore } from '../../src/state/turn/turnStore';

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
});

const thread = (number: number) => ({ ...emptyThread(number), leaf: number });

/** A session in its second thread, of which the first is looked at. */
async function open(activity: Activity = 'idle') {
  const commands = {
    stop: vi.fn(() => Promise.resolve(null)),
    setModel: vi.fn(() => Promise.resolve(null)),
  };
  const model = { provider: 'loom', model: 'weaver-1' };
  const { user } = renderApp(
    backendWith({
      ...commands,
      session: () =>
        Promise.resolve({
          ...emptySession,
          session: { ...emptySession.session, currentThread: 2 },
          threads: [thread(2), thread(1)],
          activity,
        }),
      transcript: (threadId) =>
        Promise.resolve(transcriptPage(assistantMessage(threadId, { threadId }))),
      watch: () => new Promise(() => undefined),
      models: () =>
        Promise.resolve([{ model, name: 'Weaver', providerName: 'Loom', spec: {}, follows: {} }]),
      previewModel: () =>
        Promise.resolve({
          consequence: 'compacts',
          used: { tokens: 9_000, basis: 'exact' },
          limit: 4_000,
          reading: null,
        }),
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Thread 1' }));
  await screen.findByText('This thread has ended.');
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull();
  return { user, model, ...commands };
}

it('asks in a thread that has ended, too, before a model is taken that does not hold the conversation', async () => {
  const { user, model, setModel } = await open();
  await user.keyboard('{Control>}k{/Control}');
  await user.type(
    await screen.findByRole('combobox', { name: 'Search and commands' }),
    'use weaver{Enter}',
  );
  await user.click(await screen.findByRole('button', { name: /Weaver/ }));
  expect(setModel).toHaveBeenCalledExactlyOnceWith(1, model);
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

it('shows the health of the context in a thread that has ended, and stops what is replied to the current one', async () => {
  const { user, stop } = await open('replying');
  expect(screen.getByRole('img', { name: 'Context health: unknown' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(stop).toHaveBeenCalledOnce();
  await user.keyboard('{Escape}');
  expect(stop).toHaveBeenCalledTimes(2);
  turnStore.end(1, turnStore.begin(1), null);
});

it('has nothing to stop where no reply runs', async () => {
  await open();
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
});
