/**
 * One search in Rust, which ends there, too, when its result is no longer wanted: each letter in a search box
 * asks for another.
 */
import type { Backend } from '../../ipc';
import type { ThreadId } from '../../ipc/bindings';

/** Tells the searches under way apart. */
let lastNumber = 0;

/** In all sessions where `threadId` is null. An aborted search finds nothing. */
export async function searchMessages(
  commands: Backend['commands'],
  signal: AbortSignal,
  query: string,
  threadId: ThreadId | null,
) {
  const number = ++lastNumber;
  const cancel = () => {
    // An error is ignored: the search ends by itself then.
    commands.cancelSearch(number).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);
  try {
    return await commands.search(query, threadId, number);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
