/**
 * Where the person has gone is said to those who listen: the box looks the same in every session.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n';
import type { SessionId, SessionItem, SessionView, ThreadId } from '../../ipc/bindings';
import { useAnnounce } from '../../kit/notifications/LiveRegion';

/** The session that is open, by its title; not the one that the window opens with. */
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

/** The thread of a session that is shown, once it is another. */
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
