import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Hit, SessionItem, Topic } from '../ipc/bindings';
import { plainSession, plainSettings, settingsView } from '../ipc/memory';
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
    settings: () => Promise.resolve(settingsView(plainSettings)),
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
  return { ...show(<Window />, backend), backend, listed, before: sessions };
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

it('tells on the desktop what happened to a session while the window is not in front', async () => {
  const { listed, before, backend } = open();
  await titled('Wool');
  const told: string[][] = [];
  backend.desktop.notify = (...words) => {
    told.push(words);
    return Promise.resolve(null);
  };
  const becomes = async (activity: SessionItem['activity'], named: string) => {
    await listed(before.map((item) => (item.id === 2 ? { ...item, activity } : item)));
    await screen.findByRole('img', { name: named });
  };
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  await becomes('replying', 'Replying');
  await becomes('compacting', 'Being compacted');
  expect(told).toEqual([]);
  focus.mockReturnValue(false);
  await becomes('replying', 'Replying');
  await becomes('asking', 'Waiting for your answer');
  await becomes('replying', 'Replying');
  await becomes('compacting', 'Being compacted');
  expect(told).toEqual([
    ['Linen', 'A tool waits for your answer.'],
    ['Linen', 'The reply has ended.'],
  ]);
  focus.mockRestore();
});
