/**
 * What is being read for a box: files, copied pictures, what MCP servers have. It comes into the box of
 * its session, whichever session is seen by then. A message that goes with it has left the box and is
 * sent when all of it is there, wherever the person looks: unless something of it could not be read, or
 * they have called it off.
 */
import { useSyncExternalStore } from 'react';
import type { SessionId } from '../../ipc/bindings';

/** What happens to the message that waits. */
type DeferredSend = { send: () => void; returnToDraft: () => void };
/** What is for the box alone is never sent before it has stood there. */
type PendingAttachment = { id: number; name: string; goes: 'intoBox' | 'withMessage' | 'along' };
type PendingAttachments = { reading: readonly PendingAttachment[]; due: DeferredSend | null };

const nothing: PendingAttachments = { reading: [], due: null };
const bySession = new Map<SessionId, PendingAttachments>();
const watchers = new Set<() => void>();
let latest = 0;

const pendingIn = (session: SessionId) => bySession.get(session) ?? nothing;

function setPending(session: SessionId, next: PendingAttachments) {
  bySession.set(session, next);
  for (const watcher of watchers) watcher();
}

const isInPendingSend = ({ goes }: PendingAttachment) => goes === 'along';
/** Whether a message would wait for it. */
export const isForMessage = ({ goes }: PendingAttachment) => goes !== 'intoBox';

/** Takes one away; undefined: it was called off. */
function removePending(session: SessionId, id: number): PendingAttachment | undefined {
  const { reading, due } = pendingIn(session);
  setPending(session, { reading: reading.filter((one) => one.id !== id), due });
  return reading.find((one) => one.id === id);
}

type WriteToDraft<Read> = (read: Read, goesAlong: boolean) => void;

/**
 * Reads something for the box of a session and writes it there, or into the message that waits for it.
 * Resolves to null where it was called off. Rejects as the reading does.
 */
export const readIntoDraft = <Read>(
  session: SessionId,
  name: string,
  reading: Promise<Read>,
  write: WriteToDraft<Read>,
) => trackRead(session, { name, goes: 'withMessage' }, reading, write);

/** The same for words that are to be seen in the box first: no message waits for them. */
export const readTextIntoDraft = (
  session: SessionId,
  name: string,
  reading: Promise<string>,
  write: (words: string) => void,
) => trackRead(session, { name, goes: 'intoBox' }, reading, write);

async function trackRead<Read>(
  session: SessionId,
  what: Pick<PendingAttachment, 'name' | 'goes'>,
  reading: Promise<Read>,
  write: WriteToDraft<Read>,
): Promise<Read | null> {
  latest += 1;
  const id = latest;
  const before = pendingIn(session);
  setPending(session, { ...before, reading: [...before.reading, { id, ...what }] });
  try {
    const done = await reading;
    const taken = removePending(session, id);
    if (!taken) return null;
    write(done, isInPendingSend(taken));
    if (isInPendingSend(taken)) sendWhenAllRead(session);
    return done;
  } catch (thrown) {
    const taken = removePending(session, id);
    if (!taken) return null;
    if (isInPendingSend(taken)) cancelDeferredSend(session);
    throw thrown;
  }
}

function sendWhenAllRead(session: SessionId) {
  const { reading, due } = pendingIn(session);
  if (reading.some(isInPendingSend)) return;
  setPending(session, { reading, due: null });
  due?.send();
}

/** From now on a message waits for what is being read. */
export function deferSend(session: SessionId, due: DeferredSend) {
  const reading = pendingIn(session).reading.map((one): PendingAttachment =>
    isForMessage(one) ? { ...one, goes: 'along' } : one,
  );
  setPending(session, { reading, due });
}

/** The message that waits goes back into the box, and so does what is read for it. */
export function cancelDeferredSend(session: SessionId) {
  const { reading, due } = pendingIn(session);
  const back = reading.map((one): PendingAttachment =>
    isInPendingSend(one) ? { ...one, goes: 'withMessage' } : one,
  );
  setPending(session, { reading: back, due: null });
  due?.returnToDraft();
}

/** Nothing that is being read under this number comes any more; a message is not sent without it. */
export function dismissPending(session: SessionId, id: number) {
  const taken = removePending(session, id);
  if (taken && isInPendingSend(taken)) cancelDeferredSend(session);
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** What is being read for a box. */
export const usePendingAttachments = (session: SessionId) =>
  useSyncExternalStore(watch, () => pendingIn(session).reading);
