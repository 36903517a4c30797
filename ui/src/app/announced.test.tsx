import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { LanguageProvider } from '../i18n';
import type { SessionView, Thread } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { plainItem } from '../ipc/plainConversation';
import { AnnouncerProvider } from '../kit/Announcer';
import { useAnnouncedSession, useAnnouncedThread } from './announced';

const sessions = ['Wool', 'Linen'].map((name, at) => ({ ...plainItem, id: at + 1, name }));
const thread: Thread = {
  id: 1,
  sessionId: 1,
  number: 1,
  leaf: null,
  beginning: { type: 'first' },
  createdAt: 0,
  endedAt: null,
};
const view: SessionView = {
  ...plainSession,
  session: { ...plainSession.session, currentThread: 2 },
  threads: [2, 1].map((id) => ({ ...thread, id, number: id })),
};

function Session({ open }: { open: number | null }) {
  useAnnouncedSession(sessions, open);
  return null;
}

function Thread({ shown }: { shown: number }) {
  useAnnouncedThread(view, shown);
  return null;
}

const around = (part: React.ReactNode) => (
  <LanguageProvider choice="en">
    <AnnouncerProvider>{part}</AnnouncerProvider>
  </LanguageProvider>
);
const said = () => document.querySelector('[aria-live]')?.textContent;

it('says to which session the person has gone, and not where the window began', () => {
  const { rerender } = render(around(<Session open={null} />));
  rerender(around(<Session open={1} />));
  expect(said()).toBe('');
  rerender(around(<Session open={2} />));
  expect(said()).toBe('Linen');
  rerender(around(<Session open={9} />));
  expect(said()).toBe('New session');
});

it('says to which thread, and that it has ended', () => {
  const { rerender } = render(around(<Thread shown={2} />));
  expect(said()).toBe('');
  rerender(around(<Thread shown={1} />));
  expect(said()).toBe('Thread 1. This thread has ended.');
  rerender(around(<Thread shown={2} />));
  expect(said()).toBe('Thread 2');
});
