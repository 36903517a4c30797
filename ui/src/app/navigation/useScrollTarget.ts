/**
 * The scroll target in a session. A target in the current thread is dropped when the session moves
 * on to another thread; one in an ended thread stays.
 */
import { useState } from 'react';
import type { ThreadId } from '../../ipc/bindings';
import type { MessageScrollTarget } from '../../transcript/scroll/scrollToMatch';

/** A message of a thread; without a message, the end of the thread. */
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
