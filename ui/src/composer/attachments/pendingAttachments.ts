/**
 * Attachments that are still being read: files, copied images, MCP resources. They go into the draft of their
 * session, also when another session is shown by then. A message that was sent meanwhile has left the
 * composer and waits for them. If one cannot be read, or the user cancels, the message goes back into the
 * draft.
 */
import type { SessionId } from '../../ipc/bindings';
import { createStore, useStore } from '../../kit/hooks/createStore';

/** The two ways on for a message that waits for its attachments. */
type DeferredSend = { send: () => void; returnToDraft: () => void };
/**
 * `draftOnly`: text that the user sees in the draft before it is sent. `nextMessage`: the next message waits
 * for it. `pendingMessage`: a message already waits for it.
 */
type Destination = 'draftOnly' | 'nextMessage' | 'pendingMessage';
type PendingAttachment = { id: number; name: string; destination: Destination };
type PendingAttachments = {
  reading: readonly PendingAttachment[];
  deferred: DeferredSend | null;
};

const none: PendingAttachments = { reading: [], deferred: null };
const bySession = createStore<ReadonlyMap<SessionId, PendingAttachments>>(new Map());
let lastId = 0;

const pendingIn = (session: SessionId) => bySession.get().get(session) ?? none;

function setPending(session: SessionId, next: PendingAttachments) {
  bySession.set(new Map(bySession.get()).set(session, next));
}

const isInPendingSend = ({ destination }: PendingAttachment) => destination === 'pendingMessage';
/** True if a message waits for it. */
export const isForMessage = ({ destination }: PendingAttachment) => destination !== 'draftOnly';

/** Removes an attachment and returns it; undefined: it was cancelled. */
function removePending(session: SessionId, id: number): PendingAttachment | undefined {
  const { reading, deferred } = pendingIn(session);
  setPending(session, { reading: reading.filter((one) => one.id !== id), deferred });
  return reading.find((one) => one.id === id);
}

type WriteToDraft<Read> = (read: Read, inPending: boolean) => void;

/**
 * Reads an attachment and writes it into the draft of a session, or into the message that waits for it.
 * Resolves to null if it was cancelled. Rejects as the reading does.
 */
export const readIntoDraft = <Read>(
  session: SessionId,
  name: string,
  reading: Promise<Read>,
  write: WriteToDraft<Read>,
) => trackRead(session, { name, destination: 'nextMessage' }, reading, write);

/** The same for text that the user sees in the draft before it is sent: no message waits for it. */
export const readTextIntoDraft = (
  session: SessionId,
  name: string,
  reading: Promise<string>,
  write: (content: string) => void,
) => trackRead(session, { name, destination: 'draftOnly' }, reading, write);

async function trackRead<Read>(
  session: SessionId,
  attachment: Pick<PendingAttachment, 'name' | 'destination'>,
  reading: Promise<Read>,
  write: WriteToDraft<Read>,
): Promise<Read | null> {
  lastId += 1;
  const id = lastId;
  const before = pendingIn(session);
  setPending(session, { ...before, reading: [...before.reading, { id, ...attachment }] });
  try {
    const read = await reading;
    const removed = removePending(session, id);
    if (!removed) return null;
    write(read, isInPendingSend(removed));
    if (isInPendingSend(removed)) sendWhenAllRead(session);
    return read;
  } catch (thrown) {
    const removed = removePending(session, id);
    if (!removed) return null;
    if (isInPendingSend(removed)) cancelDeferredSend(session);
    throw thrown;
  }
}

function sendWhenAllRead(session: SessionId) {
  const { reading, deferred } = pendingIn(session);
  if (reading.some(isInPendingSend)) return;
  setPending(session, { reading, deferred: null });
  deferred?.send();
}

/** Makes a message wait for the attachments that are being read. */
export function deferSend(session: SessionId, deferred: DeferredSend) {
  const reading = pendingIn(session).reading.map((one): PendingAttachment =>
    isForMessage(one) ? { ...one, destination: 'pendingMessage' } : one,
  );
  setPending(session, { reading, deferred });
}

/** Returns the waiting message to the draft, with the attachments that are read for it. */
export function cancelDeferredSend(session: SessionId) {
  const { reading, deferred } = pendingIn(session);
  const returned = reading.map((one): PendingAttachment =>
    isInPendingSend(one) ? { ...one, destination: 'nextMessage' } : one,
  );
  setPending(session, { reading: returned, deferred: null });
  deferred?.returnToDraft();
}

/** Cancels one attachment. A message that waits for it goes back into the draft. */
export function dismissPending(session: SessionId, id: number) {
  const removed = removePending(session, id);
  if (removed && isInPendingSend(removed)) cancelDeferredSend(session);
}

export const usePendingAttachments = (session: SessionId) =>
  useStore(bySession, () => pendingIn(session).reading);
