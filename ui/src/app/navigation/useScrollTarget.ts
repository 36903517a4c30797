/**
 * Where in a session somebody went. What is gone to in the current thread is gone to for as long as it is
 * that: the window goes along when the conversation moves on, and stays in a thread that had ended.
 */
import { useState } from 'react';
import type { ThreadId } from '../../ipc/bindings';
import type { MessageScrollTarget } from '../../transcript/scroll/scrollToMatch';

/** A message of a thread; without one, the thread and its end. */
export type ThreadScrollTarget = { threadId: ThreadId; message: MessageScrollTarget | null };

export function useScrollTarget(
  requested: ThreadScrollTarget | null,
  current: ThreadId,
): ThreadScrollTarget | null {
  const [state, setState] = useState({ requested: requested, current, target: requested });
  if (state.requested !== requested) {
    setState({ requested: requested, current, target: requested });
  } else if (state.current !== current) {
    setState({
      requested: requested,
      current,
      target: state.target?.threadId === state.current ? null : state.target,
    });
  }
  return state.target;
}
