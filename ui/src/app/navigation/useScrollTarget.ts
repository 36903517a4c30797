/**
 * Where in a session somebody went. What is gone to in the current thread is gone to for as long as it is
 * that: the window goes along when the conversation moves on, and stays in a thread that had ended.
 */
import { useState } from 'react';
import type { ThreadId } from '../../ipc/bindings';
import type { MessageScrollTarget } from '../../transcript/scroll/scrollToMatch';

/** A message of a thread; without one, the thread and its end. */
export type ThreadScrollTarget = { threadId: ThreadId; goal: MessageScrollTarget | null };

export function useScrollTarget(
  asked: ThreadScrollTarget | null,
  current: ThreadId,
): ThreadScrollTarget | null {
  const [at, setAt] = useState({ asked, current, spot: asked });
  if (at.asked !== asked) {
    setAt({ asked, current, spot: asked });
  } else if (at.current !== current) {
    setAt({ asked, current, spot: at.spot?.threadId === at.current ? null : at.spot });
  }
  return at.spot;
}
