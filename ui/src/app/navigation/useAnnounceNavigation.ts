/**
 * Announces the destination of a navigation to screen readers, because the focused composer looks
 * the same in every session.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n';
import type { SessionId, SessionItem, SessionView, ThreadId } from '../../ipc/bindings';
import { useAnnounce } from '../../kit/notifications/LiveRegion';

/** Announces the title of the opened session, except at the start. */
export function useAnnounceSession(sessions: readonly SessionItem[], open: SessionId | null) {
  const text = useText();
  const announce = useAnnounce();
  const before = useRef(open);
  const title = sessions.find(({ id }) => id === open)?.name ?? text('threads.untitled');
  useEffect(() => {
    if (before.current !== null && open !== null && before.current !== open) announce(title);
    if (open !== null) before.current = open;
  }, [open, title, announce]);
}

/** Announces the shown thread of a session when it changes. */
export function useAnnounceThread({ session, threads }: SessionView, shown: ThreadId) {
  const text = useText();
  const announce = useAnnounce();
  const before = useRef(shown);
  const number = threads.find(({ id }) => id === shown)?.number;
  const words = number === undefined ? null : text('threads.thread', { number });
  const isCurrent = shown === session.currentThread;
  useEffect(() => {
    if (words === null || before.current === shown) return;
    before.current = shown;
    announce(isCurrent ? words : `${words}. ${text('threads.ended')}`);
  }, [shown, words, isCurrent, announce, text]);
}
