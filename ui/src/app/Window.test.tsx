import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Hit, SessionItem, Topic } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { answering, show } from '../../test-show';
import { Window } from './Window';

/** Two sessions; of the second, an archived thread is found by a search. */
function open() {
  let sessions: SessionItem[] = ['Wool', 'Linen'].map((title, at) => ({
    id: at + 1,
    title,
    pinned: false,
    updatedAt: 0,
    activity: 'idle',
  }));
  const hit: Hit = {
    sessionId: 2,
    sessionTitle: 'Linen',
    place: {
      threadId: 20,
      threadNumber: 1,
      messageId: 200,
      messageNumber: 1,
      role: 'user',
      origin: 'person',
      at: 0,
    },
    excerpt: [{ text: 'flax', found: true }],
  };
  const backend = answering({
    sessions: () => Promise.resolve(sessions),
    session: (id) =>
      Promise.resolve({
        ...plainSession,
        session: {
          ...plainSession.session,
          id,
          title: id === 1 ? 'Wool' : 'Linen',
          currentThread: id === 1 ? 1 : 21,
        },
      }),
    search: () => Promise.resolve([hit]),
  });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (heard) => {
    tell = heard;
    return () => undefined;
  };
  const listed = async (next: SessionItem[]) => {
    sessions = next;
    await act(async () => {
      tell([{ topic: 'sessions' }]);
      await Promise.resolve();
    });
  };
  return { ...show(<Window />, backend), listed, before: sessions };
}

const titled = (name: string) => screen.findByRole('heading', { level: 1, name });

it('shows nothing of a session that was reached by a search once it is deleted', async () => {
  const { person, listed, before } = open();
  await person.type(await screen.findByRole('searchbox', { name: 'Search' }), 'flax');
  await person.click(await screen.findByRole('button', { name: /flax/ }));
  await titled('Linen');
  expect(screen.getByRole('button', { name: 'To the current thread' })).toBeVisible();
  await listed(before.slice(0, 1));
  await titled('Wool');
  expect(screen.queryByRole('button', { name: 'To the current thread' })).not.toBeInTheDocument();
  expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
});

it('keeps the session open when another becomes the first', async () => {
  const { listed, before } = open();
  await titled('Wool');
  await listed(before.toReversed());
  await waitFor(() => {
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Linen',
      'Wool',
    ]);
  });
  await titled('Wool');
});
