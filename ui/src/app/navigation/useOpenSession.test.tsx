import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { SessionItem, Thread } from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import {
  transcriptPage,
  idleSessionItem,
  assistantMessage,
} from '../../../test/fixtures/conversationFixtures';
import { AppWindow } from '../AppWindow';

beforeEach(() => {
  Element.prototype.scrollTo = () => undefined;
  // jsdom has no layout: a message is 8,000 px high, the view 800.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: Element,
  ) {
    return this.hasAttribute('data-message') ? 8_000 : 800;
  });
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(24_000);
});

const session = (id: number, title: string): SessionItem => ({
  ...idleSessionItem,
  id,
  title,
  name: title,
});

/** Wool, in its second thread, and Linen; each thread has three messages. */
function open() {
  const transcript = vi.fn((threadId: number) =>
    Promise.resolve(
      transcriptPage(...[1, 2, 3].map((at) => assistantMessage(threadId * 10 + at, { threadId }))),
    ),
  );
  const thread = (id: number): Thread => ({
    id,
    sessionId: id < 3 ? 1 : 2,
    number: id,
    leaf: id * 10 + 3,
    beginning: { type: 'person' },
    createdAt: 0,
    endedAt: null,
  });
  const backend = backendWith({
    sessions: () => Promise.resolve([session(1, 'Wool'), session(2, 'Linen')]),
    session: (id) =>
      Promise.resolve({
        ...emptySession,
        name: id === 1 ? 'Wool' : 'Linen',
        session: {
          ...emptySession.session,
          id,
          title: id === 1 ? 'Wool' : 'Linen',
          currentThread: id === 1 ? 2 : 3,
        },
        threads: (id === 1 ? [1, 2] : [3]).map(thread),
      }),
    transcript,
  });
  const { user } = renderPart(<AppWindow />, backend);
  const to = async (title: string) => {
    await user.click(await screen.findByRole('link', { name: title }));
    await screen.findByRole('heading', { level: 1, name: title });
    await screen.findAllByRole('article');
  };
  const toThread = async (name: RegExp) => {
    await user.click(await screen.findByRole('button', { name }));
    await screen.findAllByRole('article');
  };
  /** As the person scrolls: down to one place and up to another. */
  const readAt = async (place: number) => {
    await screen.findAllByRole('article');
    const view = screen.getByRole('log');
    for (const top of [place + 100, place]) {
      view.scrollTop = top;
      fireEvent.scroll(view);
    }
  };
  const isAt = (place: number) =>
    waitFor(() => {
      expect(screen.getByRole('log').scrollTop).toBe(place);
    });
  return { transcript, to, toThread, readAt, isAt };
}

it('comes back to where a conversation was left, in a reply of many screens', async () => {
  const { transcript, to, readAt, isAt } = open();
  await readAt(9_500);
  await to('Linen');
  transcript.mockClear();
  await to('Wool');
  expect(transcript).toHaveBeenCalledWith(2, { type: 'around', messageId: 22 }, 60);
  await isAt(9_500 - 8_000);
  expect(screen.getByRole('button', { name: 'To the end' })).toBeVisible();
});

it('comes back to the end where that was followed, also after having been elsewhere', async () => {
  const { transcript, to, readAt } = open();
  await readAt(9_500);
  const view = screen.getByRole('log');
  view.scrollTop = 23_200;
  fireEvent.scroll(view);
  await to('Linen');
  transcript.mockClear();
  await to('Wool');
  expect(screen.getByRole('log').scrollTop).toBe(24_000);
  expect(transcript).not.toHaveBeenCalledWith(2, expect.objectContaining({ type: 'around' }), 60);
});

it('keeps the place in each thread of a session, and the thread that was read', async () => {
  const { to, toThread, readAt, isAt } = open();
  await readAt(9_500);
  await toThread(/Thread 1/);
  await readAt(300);
  await toThread(/Thread 2/);
  await isAt(9_500 - 8_000);
  await toThread(/Thread 1/);
  await isAt(300);
  await to('Linen');
  await to('Wool');
  expect(screen.getByRole('button', { name: 'To the current thread' })).toBeVisible();
  await isAt(300);
});

it('opens the end where what was read is gone', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { transcript, to, readAt } = open();
  await readAt(9_500);
  await to('Linen');
  const gone = Object.assign(new Error(), { kind: 'notFound', what: 'message' });
  transcript.mockRejectedValueOnce(gone);
  await to('Wool');
  expect(screen.getByRole('log').scrollTop).toBe(24_000);
  expect(screen.queryByText('This message is gone.')).toBeNull();
});
