import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { SearchHit, Message, SessionItem, Topic } from '../ipc/bindings';
import { fakeBackend, emptySession, defaultSettings, settingsViewOf } from '../../test/fakeBackend';
import { idleSessionItem } from '../../test/fixtures/conversationFixtures';
import { backendWith, mockViewportWidth, renderPart } from '../../test/render';
import { AppWindow } from './AppWindow';

/** Two sessions; of the second, an archived thread is found by a search. */
function open() {
  const titles = ['Wool', 'Linen', 'Silk'];
  let sessions: SessionItem[] = titles.map((title, at) => ({
    ...idleSessionItem,
    id: at + 1,
    title,
    name: title,
  }));
  const hit: SearchHit = {
    sessionId: 2,
    sessionName: 'Linen',
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
  const backend = backendWith({
    sessions: () => Promise.resolve(sessions),
    session: (id) =>
      Promise.resolve({
        ...emptySession,
        session: {
          ...emptySession.session,
          id,
          title: titles[id - 1] ?? null,
          currentThread: id === 2 ? 21 : id,
        },
        name: titles[id - 1] ?? null,
      }),
    search: () => Promise.resolve([hit]),
    transcript: vi.fn(() => Promise.resolve({ items: [], before: 0, after: 0 })),
    settings: () => Promise.resolve(settingsViewOf(defaultSettings)),
  });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (heard) => {
    tell = heard;
    return () => undefined;
  };
  const tells = (topics: readonly Topic[]) =>
    act(async () => {
      tell(topics);
      await Promise.resolve();
    });
  const listed = (next: SessionItem[]) => {
    sessions = next;
    return tells([{ topic: 'sessions' }]);
  };
  return { ...renderPart(<AppWindow />, backend), backend, tells, listed, before: sessions };
}

const titled = (name: string) => screen.findByRole('heading', { level: 1, name });

it('shows nothing of a session that was reached by a search once it is deleted', async () => {
  const { user, listed, before } = open();
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'flax');
  await user.click(await screen.findByRole('button', { name: /flax/ }));
  await titled('Linen');
  expect(await screen.findByRole('button', { name: 'To the current thread' })).toBeVisible();
  await listed(before.slice(0, 1));
  await titled('Wool');
  expect(screen.queryByRole('button', { name: 'To the current thread' })).not.toBeInTheDocument();
  expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
});

it('keeps a search for the next of its results where the sessions are a drawer', async () => {
  const toNarrow = mockViewportWidth();
  const { user } = open();
  toNarrow(true);
  await user.click(await screen.findByRole('button', { name: 'Show or hide the sidebar' }));
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'flax');
  await user.click(await screen.findByRole('button', { name: /flax/ }));
  await titled('Linen');
  expect(screen.queryByRole('searchbox', { name: 'Search' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show or hide the sidebar' }));
  expect(await screen.findByRole('searchbox', { name: 'Search' })).toHaveValue('flax');
  expect(screen.getByRole('button', { name: /flax/ })).toBeVisible();
  vi.unstubAllGlobals();
});

it('does with the open session from the palette what its line offers, and leads to the search', async () => {
  const { user, backend } = open();
  const deleteSessions = vi.fn(() => Promise.resolve(null));
  const pinSession = vi.fn(() => Promise.resolve(null));
  Object.assign(backend.commands, { deleteSessions, pinSession });
  await titled('Wool');
  const choose = async (words: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Search and commands' }), words);
    await user.click(await screen.findByRole('option', { name: words }));
  };
  await choose('Pin this session');
  expect(pinSession).toHaveBeenCalledExactlyOnceWith(1, true);
  await choose('Delete this session');
  expect(deleteSessions).toHaveBeenCalledExactlyOnceWith([1]);
  await user.keyboard('{Control>}{Shift>}f{/Shift}{/Control}');
  await waitFor(() => {
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveFocus();
  });
});

it('shows in the palette what the sidebar has searched for already', async () => {
  const { user } = open();
  await titled('Wool');
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'flax');
  await user.click(await screen.findByRole('button', { name: /flax/ }));
  await titled('Linen');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: 'Search and commands' }), 'flax');
  expect(await screen.findByRole('option', { name: /flax/ })).toBeVisible();
});

it('marks what a search led to until something else is done', async () => {
  const painted = new Map<string, Iterable<Range>>();
  class Painted extends Set<Range> {
    priority = 0;
  }
  vi.stubGlobal('Highlight', Painted);
  vi.stubGlobal('CSS', { highlights: painted, escape: String });
  Element.prototype.scrollTo = () => undefined;
  const { user, backend } = open();
  const found: Message = {
    id: 200,
    threadId: 20,
    parentId: null,
    kind: { type: 'chat' },
    role: 'user',
    origin: 'person',
    parts: [{ type: 'text', text: 'A field of flax.' }],
    state: { type: 'complete' },
    inclusion: 'usual',
    model: null,
    createdAt: 0,
  };
  const line = { message: found, number: 1, siblings: [200], later: null, coveredBy: null };
  backend.commands.transcript = (thread) =>
    Promise.resolve({
      items: thread === 20 ? [{ ...line, point: null, generation: null, unstored: null }] : [],
      before: 0,
      after: 0,
    });
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'flax');
  await user.click(await screen.findByRole('button', { name: /flax/ }));
  for (const name of ['matches', 'current-match']) {
    await waitFor(() => {
      expect(Array.from(painted.get(name) ?? [], String)).toEqual(['flax']);
    });
  }
  await user.click(screen.getByRole('button', { name: 'To the current thread' }));
  await waitFor(() => {
    expect([...painted.keys()]).toEqual([]);
  });
  vi.unstubAllGlobals();
});

it('opens the session that was open last, and says which one it has open', async () => {
  const item = (id: number, title: string, opened: number | null): SessionItem => ({
    ...idleSessionItem,
    id,
    title,
    name: title,
    opened,
    updatedAt: -id,
  });
  const openSession = vi.fn(() => Promise.resolve(null));
  let sessions = [{ ...item(1, 'Wool', 3), pinned: true }, item(2, 'Linen', 7), item(3, 'Silk', 5)];
  const session = (id: number) => {
    const name = sessions.find((known) => known.id === id)?.name ?? null;
    return Promise.resolve({
      ...emptySession,
      session: { ...emptySession.session, id, title: name },
      name,
    });
  };
  const backend = () =>
    backendWith({ sessions: () => Promise.resolve(sessions), session, openSession });
  const { user, unmount } = renderPart(<AppWindow />, backend());
  await titled('Linen');
  expect(openSession.mock.calls).toEqual([[2]]);
  await user.click(screen.getByRole('link', { name: 'Silk' }));
  await titled('Silk');
  expect(openSession.mock.calls).toEqual([[2], [3]]);
  unmount();

  sessions = [item(2, 'Linen', null), item(1, 'Wool', null)];
  renderPart(<AppWindow />, backend());
  await titled('Wool');
});

it('keeps the session open when another becomes the first', async () => {
  const { listed, before } = open();
  await titled('Wool');
  await listed(before.toReversed());
  await waitFor(() => {
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Silk',
      'Linen',
      'Wool',
    ]);
  });
  await titled('Wool');
});

it('opens another once where the open one was deleted, and keeps that open', async () => {
  const { listed, before } = open();
  const [wool, linen, silk] = before;
  await titled('Wool');
  if (!wool || !linen || !silk) return;
  await listed([linen, silk]);
  await titled('Linen');
  const box = screen.getByRole('textbox', { name: 'Message' });
  await listed([silk, linen]);
  await waitFor(() => {
    expect(screen.getAllByRole('link')[0]).toHaveTextContent('Silk');
  });
  await listed([wool, silk, linen]);
  await waitFor(() => {
    expect(screen.getAllByRole('link')).toHaveLength(3);
  });
  expect(screen.getByRole('textbox', { name: 'Message' })).toBe(box);
});

it('shows no other session while one that was just begun is in no list yet', async () => {
  const { user, listed, before, backend } = open();
  await user.click(await screen.findByRole('link', { name: 'Linen' }));
  await titled('Linen');
  backend.commands.createSession = () => Promise.resolve(4);
  backend.commands.session = (id) =>
    Promise.resolve({
      ...emptySession,
      session: { ...emptySession.session, id, title: null },
      name: 'New',
    });
  const shown = new Set<string | null>();
  const watch = new MutationObserver(() => {
    for (const { textContent } of screen.queryAllByRole('heading', { level: 1 }))
      shown.add(textContent);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await user.click(screen.getByRole('button', { name: 'New session' }));
  await titled('New');
  await listed([{ ...idleSessionItem, id: 4, title: null, name: 'New', updatedAt: 1 }, ...before]);
  await titled('New');
  watch.disconnect();
  expect([...shown].filter((title) => title === 'Wool')).toEqual([]);
});

it('tells on the desktop what happened to a session while the window is not in front', async () => {
  const { listed, before, backend } = open();
  await titled('Wool');
  const told: string[][] = [];
  backend.desktop.notify = (...words) => {
    told.push(words);
    return Promise.resolve(null);
  };
  const becomes = async (
    activity: SessionItem['activity'],
    named: string,
    ended: SessionItem['ended'] = null,
  ) => {
    await listed(before.map((item) => (item.id === 2 ? { ...item, activity, ended } : item)));
    await screen.findByRole('img', { name: named });
  };
  const focus = vi.fn(() => Promise.resolve(true));
  backend.desktop.hasFocus = focus;
  await becomes('replying', 'Replying');
  await becomes('compacting', 'Being compacted', 'answered');
  expect(told).toEqual([]);
  focus.mockResolvedValue(false);
  await becomes('replying', 'Replying');
  await becomes('asking', 'Waiting for your answer');
  for (const ended of ['answered', 'cutOff', 'failed', null] as const) {
    await becomes('replying', 'Replying');
    await becomes('compacting', 'Being compacted', ended);
  }
  expect(told).toEqual([
    ['Linen', 'A tool is waiting for your answer.'],
    ['Linen', 'The reply has ended.'],
    ['Linen', 'The reply was cut off.'],
    ['Linen', 'The reply failed.'],
  ]);
});

it('goes along when the conversation it was led to moves on, and stays in a thread that had ended', async () => {
  const { user, backend, tells } = open();
  let current = 20;
  const view = backend.commands.session;
  backend.commands.session = async (id) => {
    const linen = await view(id);
    const session = { ...linen.session, currentThread: id === 2 ? current : id };
    return { ...linen, session };
  };
  const toHit = async () => {
    await user.click(await screen.findByRole('button', { name: /flax/ }));
    await titled('Linen');
  };
  const moves = (to: number) => {
    current = to;
    return tells([{ topic: 'session', sessionId: 2 }]);
  };
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'flax');
  await toHit();
  const box = await screen.findByRole('textbox', { name: 'Message' });
  await moves(21);
  await waitFor(() => {
    expect(backend.commands.transcript).toHaveBeenCalledWith(21, { type: 'end' }, 60);
  });
  expect(screen.queryByRole('button', { name: 'To the current thread' })).toBeNull();
  expect(box).toBeInTheDocument();
  await toHit();
  await screen.findByRole('button', { name: 'To the current thread' });
  await moves(22);
  expect(screen.getByRole('button', { name: 'To the current thread' })).toBeVisible();
});

const locked = () =>
  Promise.reject(Object.assign(new Error(), { kind: 'databaseLocked', path: '/db' }));

it('says why a session cannot be read, and reads it when it is asked to or gone to again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const backend = backendWith({ session: vi.fn(locked) });
  const { user } = renderPart(<AppWindow />, backend);
  expect(await screen.findByRole('alert')).toHaveTextContent('Another program is using /db');
  backend.commands.session = () => Promise.resolve(emptySession);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('textbox', { name: 'Message' })).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says why the sessions cannot be read, and reads them when it is asked to', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const backend = backendWith({ sessions: locked });
  const { sessions } = fakeBackend().commands;
  const { user } = renderPart(<AppWindow />, backend);
  expect(await screen.findByRole('alert')).toHaveTextContent('Another program is using /db');
  backend.commands.sessions = sessions;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await titled('Wool');
});

it('leaves the other sessions within reach where one breaks', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { user, backend, tells } = open();
  await titled('Wool');
  const view = backend.commands.session;
  backend.commands.session = async (id) => {
    const { session, ...rest } = await view(id);
    const overrides = null as unknown as typeof session.overrides;
    return id === 1 ? { ...rest, session: { ...session, overrides } } : { ...rest, session };
  };
  await tells([{ topic: 'session', sessionId: 1 }]);
  expect(await screen.findByRole('alert')).toHaveTextContent('This part of the window stopped');
  await user.click(screen.getByRole('link', { name: /Linen/ }));
  await titled('Linen');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('does not overwrite what was written in the window of a session that another was open beside', async () => {
  const { user, backend, tells } = open();
  const stored = new Map<number, string>();
  backend.commands.saveDraft = (id, { text }) => {
    stored.set(id, text);
    return Promise.resolve(null);
  };
  const view = backend.commands.session;
  backend.commands.session = async (id) => ({
    ...(await view(id)),
    draft: { text: stored.get(id) ?? '', attachments: [] },
  });
  const ownWindows = async (sessionWindows: number[]) => {
    const state = { ...(await fakeBackend().commands.desktopState()), sessionWindows };
    backend.commands.desktopState = () => Promise.resolve(state);
    await tells([{ topic: 'desktop' }]);
  };
  const box = () => screen.findByRole('textbox', { name: 'Message' });
  await titled('Wool');
  await user.type(await box(), 'old');
  await waitFor(() => {
    expect(stored.get(1)).toBe('old');
  });
  await ownWindows([1]);
  await screen.findByRole('button', { name: 'Show that window' });
  await user.click(screen.getByRole('link', { name: 'Linen' }));
  await titled('Linen');
  stored.set(1, 'written in its own window');
  await ownWindows([]);
  await user.click(screen.getByRole('link', { name: 'Wool' }));
  await titled('Wool');
  expect(await box()).toHaveValue('written in its own window');
});

it('keeps what is being written for a session where the window becomes too narrow for the list', async () => {
  const makeNarrow = mockViewportWidth();
  const { user, backend } = open();
  const renamed = vi.fn(() => Promise.resolve(null));
  backend.commands.renameSession = renamed;
  const choose = async (what: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for Wool' }));
    await user.click(await screen.findByRole('menuitem', { name: what }));
  };
  await choose('Instructions');
  const box = await screen.findByRole('textbox', { name: 'Instructions for Wool' });
  await user.type(box, 'Answer in rhymes.');
  makeNarrow(true);
  expect(screen.queryByRole('navigation', { name: 'Sessions' })).not.toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Instructions for Wool' })).toHaveValue(
    'Answer in rhymes.',
  );
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  makeNarrow(false);
  await choose('Rename');
  await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'len');
  makeNarrow(true);
  expect(renamed).toHaveBeenCalledExactlyOnceWith(1, 'Woollen');
});
