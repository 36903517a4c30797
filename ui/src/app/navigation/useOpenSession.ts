/**
 * The open session, and the scroll position in it. A user who returns to a session or thread gets
 * the position where they left it, unless they were following its end.
 */
import { useCallback, useEffect, useState } from 'react';
import { useBackend } from '../../ipc';
import type { SessionId, SessionItem, ThreadId } from '../../ipc/bindings';
import { lastOpenedSession } from '../../state/queries/queries';
import type { MessageScrollTarget } from '../../transcript/scroll/scrollToMatch';
import type { ThreadScrollTarget } from './useScrollTarget';

/** The scroll positions of left threads, kept as long as the app window is open. */
export class ReadingPositions {
  private readonly inThreads = new Map<ThreadId, MessageScrollTarget>();
  private readonly lastShown = new Map<SessionId, { threadId: ThreadId; ended: boolean }>();

  recordThread(session: SessionId, threadId: ThreadId, ended: boolean) {
    this.lastShown.set(session, { threadId, ended });
  }

  /** null: at the end, which the view follows. */
  recordPosition(thread: ThreadId, position: MessageScrollTarget | null) {
    if (position) this.inThreads.set(thread, position);
    else this.inThreads.delete(thread);
  }

  positionInThread(thread: ThreadId): MessageScrollTarget | null {
    return this.inThreads.get(thread) ?? null;
  }

  /** null: the end of its current thread. */
  positionInSession(session: SessionId): ThreadScrollTarget | null {
    const last = this.lastShown.get(session);
    const message = last ? this.positionInThread(last.threadId) : null;
    return last && (message || last.ended) ? { threadId: last.threadId, message } : null;
  }
}

/** A session, where in it, and whether a list has held it yet: one that was just begun is in none so far. */
type OpenSession = { session: SessionId; scrollTarget: ThreadScrollTarget | null; listed: boolean };

export function useOpenSession(sessions: readonly SessionItem[] | undefined) {
  const [readingPositions] = useState(() => new ReadingPositions());
  const [chosen, setChosen] = useState<OpenSession | null>(null);
  const last = sessions && lastOpenedSession(sessions)?.id;
  const isThere = sessions?.some(({ id }) => id === chosen?.session) === true;
  const isGone = sessions !== undefined && chosen?.listed === true && !isThere;
  // If there is no last session, or it was deleted, another is opened. It stays when the list
  // changes.
  if (last !== undefined && (chosen === null || isGone)) {
    setChosen({ session: last, scrollTarget: null, listed: true });
  } else if (chosen !== null && isThere && !chosen.listed) {
    setChosen({ ...chosen, listed: true });
  }
  const open = isGone ? null : (chosen?.session ?? null);
  useRecordOpenSession(open);
  return {
    open,
    scrollTarget: chosen?.scrollTarget ?? null,
    readingPositions,
    setScrollTarget: useCallback((scrollTarget: ThreadScrollTarget | null) => {
      setChosen((now) => now && { ...now, scrollTarget });
    }, []),
    show: useCallback((session: SessionId, scrollTarget: ThreadScrollTarget | null) => {
      setChosen({ session, scrollTarget, listed: false });
    }, []),
  };
}

/** Marks the open session as read, and stores it for the next start. */
function useRecordOpenSession(open: SessionId | null) {
  const { commands } = useBackend();
  useEffect(() => {
    if (open === null) return;
    commands.openSession(open).catch((error: unknown) => {
      console.error('it is not noted which session is open', error);
    });
  }, [open, commands]);
}
