/**
 * What is open in the window: a session, and where in it. Who comes back to a session or a thread finds the
 * place where they left off, unless they were following its end.
 */
import { useCallback, useEffect, useState } from 'react';
import { useBackend } from '../ipc';
import type { SessionId, SessionItem, ThreadId } from '../ipc/bindings';
import { openedLast } from '../state/reading';
import type { Goal } from '../transcript/seeking';
import type { Spot } from './spot';

/** Where what is read was left, for as long as the window is open. */
export class LeftOff {
  private readonly inThreads = new Map<ThreadId, Goal>();
  private readonly lastShown = new Map<SessionId, { threadId: ThreadId; ended: boolean }>();

  shows(session: SessionId, threadId: ThreadId, ended: boolean) {
    this.lastShown.set(session, { threadId, ended });
  }

  /** null: at its end, which is followed. */
  reads(thread: ThreadId, goal: Goal | null) {
    if (goal) this.inThreads.set(thread, goal);
    else this.inThreads.delete(thread);
  }

  inThread(thread: ThreadId): Goal | null {
    return this.inThreads.get(thread) ?? null;
  }

  /** null: the end of its current thread. */
  inSession(session: SessionId): Spot | null {
    const last = this.lastShown.get(session);
    const goal = last ? this.inThread(last.threadId) : null;
    return last && (goal || last.ended) ? { threadId: last.threadId, goal } : null;
  }
}

/** A session, where in it, and whether a list has held it yet: one that was just begun is in none so far. */
type Chosen = { session: SessionId; spot: Spot | null; listed: boolean };

export function useOpenSession(sessions: readonly SessionItem[] | undefined) {
  const [leftOff] = useState(() => new LeftOff());
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const last = sessions && openedLast(sessions)?.id;
  const isThere = sessions?.some(({ id }) => id === chosen?.session) === true;
  const isGone = sessions !== undefined && chosen?.listed === true && !isThere;
  // Another is opened once, where there is none or it was deleted: it stays when the list changes.
  if (last !== undefined && (chosen === null || isGone)) {
    setChosen({ session: last, spot: null, listed: true });
  } else if (chosen !== null && isThere && !chosen.listed) {
    setChosen({ ...chosen, listed: true });
  }
  const open = isGone ? null : (chosen?.session ?? null);
  useNoted(open);
  return {
    open,
    spot: chosen?.spot ?? null,
    leftOff,
    setSpot: useCallback((spot: Spot | null) => {
      setChosen((now) => now && { ...now, spot });
    }, []),
    show: useCallback((session: SessionId, spot: Spot | null) => {
      setChosen({ session, spot, listed: false });
    }, []),
  };
}

/** What is open is read, and what the next start opens. */
function useNoted(open: SessionId | null) {
  const { commands } = useBackend();
  useEffect(() => {
    if (open === null) return;
    commands.openSession(open).catch((error: unknown) => {
      console.error('it is not noted which session is open', error);
    });
  }, [open, commands]);
}
