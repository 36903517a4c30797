import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { LanguageProvider } from '../../i18n';
import type { SessionView, Thread } from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { idleSessionItem } from '../../../test/fixtures/conversationFixtures';
import { LiveRegionProvider } from '../../kit/notifications/LiveRegion';
import { useAnnounceSession, useAnnounceThread } from './useAnnounceNavigation';

const sessions = ['Wool', 'Linen'].map((name, at) => ({ ...idleSessionItem, id: at + 1, name }));
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
  ...emptySession,
  session: { ...emptySession.session, currentThread: 2 },
  threads: [2, 1].map((id) => ({ ...thread, id, number: id })),
};

function Session({ open }: { open: number | null }) {
  useAnnounceSession(sessions, open);
  return null;
}

function Thread({ shown }: { shown: number }) {
  useAnnounceThread(view, shown);
  return null;
}

const around = (part: React.ReactNode) => (
  <LanguageProvider choice="en">
    <LiveRegionProvider>{part}</LiveRegionProvider>
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
