/**
 * What is open in the window: a session, and where in it. Who comes back to a session or a thread finds the
 * place where they left off, unless they were following its end.
 */
import { useCallback, useEffect, useState } from 'react';
import { useBackend } from '../../ipc';
import type { SessionId, SessionItem, ThreadId } from '../../ipc/bindings';
import { lastOpenedSession } from '../../state/queries/queries';
import type { MessageScrollTarget } from '../../transcript/scroll/scrollToMatch';
import type { ThreadScrollTarget } from './useScrollTarget';

/** Where what is read was left, for as long as the window is open. */
export class ReadingPositions {
  private readonly inThreads = new Map<ThreadId, MessageScrollTarget>();
  private readonly lastShown = new Map<SessionId, { threadId: ThreadId; ended: boolean }>();

  recordThread(session: SessionId, threadId: ThreadId, ended: boolean) {
    this.lastShown.set(session, { threadId, ended });
  }

  /** null: at its end, which is followed. */
  recordPosition(thread: ThreadId, goal: MessageScrollTarget | null) {
    if (goal) this.inThreads.set(thread, goal);
    else this.inThreads.delete(thread);
  }

  positionInThread(thread: ThreadId): MessageScrollTarget | null {
    return this.inThreads.get(thread) ?? null;
  }

  /** null: the end of its current thread. */
  positionInSession(session: SessionId): ThreadScrollTarget | null {
    const last = this.lastShown.get(session);
    const goal = last ? this.positionInThread(last.threadId) : null;
    return last && (goal || last.ended) ? { threadId: last.threadId, goal } : null;
  }
}

/** A session, where in it, and whether a list has held it yet: one that was just begun is in none so far. */
type OpenSession = { session: SessionId; spot: ThreadScrollTarget | null; listed: boolean };

export function useOpenSession(sessions: readonly SessionItem[] | undefined) {
  const [leftOff] = useState(() => new ReadingPositions());
  const [chosen, setChosen] = useState<OpenSession | null>(null);
  const last = sessions && lastOpenedSession(sessions)?.id;
  const isThere = sessions?.some(({ id }) => id === chosen?.session) === true;
  const isGone = sessions !== undefined && chosen?.listed === true && !isThere;
  // Another is opened once, where there is none or it was deleted: it stays when the list changes.
  if (last !== undefined && (chosen === null || isGone)) {
    setChosen({ session: last, spot: null, listed: true });
  } else if (chosen !== null && isThere && !chosen.listed) {
    setChosen({ ...chosen, listed: true });
  }
  const open = isGone ? null : (chosen?.session ?? null);
  useRecordOpenSession(open);
  return {
    open,
    spot: chosen?.spot ?? null,
    leftOff,
    setSpot: useCallback((spot: ThreadScrollTarget | null) => {
      setChosen((now) => now && { ...now, spot });
    }, []),
    show: useCallback((session: SessionId, spot: ThreadScrollTarget | null) => {
      setChosen({ session, spot, listed: false });
    }, []),
  };
}

/** What is open is read, and what the next start opens. */
function useRecordOpenSession(open: SessionId | null) {
  const { commands } = useBackend();
  useEffect(() => {
    if (open === null) return;
    commands.openSession(open).catch((error: unknown) => {
      console.error('it is not noted which session is open', error);
    });
  }, [open, commands]);
}
