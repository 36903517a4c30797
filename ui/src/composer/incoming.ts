/**
 * What is being read for a box: files, copied pictures, what MCP servers have. It comes into the box of
 * its session, whichever session is seen by then. A message that goes with it has left the box and is
 * sent when all of it is there, wherever the person looks: unless something of it could not be read, or
 * they have called it off.
 */
import { useSyncExternalStore } from 'react';
import type { SessionId } from '../ipc/bindings';

/** What happens to the message that waits. */
type Due = { send: () => void; giveBack: () => void };
type Reading = { id: number; name: string; goesAlong: boolean };
type Incoming = { reading: readonly Reading[]; due: Due | null };

const nothing: Incoming = { reading: [], due: null };
const bySession = new Map<SessionId, Incoming>();
const watchers = new Set<() => void>();
let latest = 0;

const of = (session: SessionId) => bySession.get(session) ?? nothing;

function change(session: SessionId, next: Incoming) {
  bySession.set(session, next);
  for (const watcher of watchers) watcher();
}

/** Takes one away; undefined: it was called off. */
function take(session: SessionId, id: number): Reading | undefined {
  const { reading, due } = of(session);
  change(session, { reading: reading.filter((one) => one.id !== id), due });
  return reading.find((one) => one.id === id);
}

/**
 * Reads something for the box of a session and writes it there, or into the message that waits for it.
 * Resolves to null where it was called off. Rejects as the reading does.
 */
export async function bring<Read>(
  session: SessionId,
  name: string,
  reading: Promise<Read>,
  write: (read: Read, goesAlong: boolean) => void,
): Promise<Read | null> {
  latest += 1;
  const id = latest;
  const before = of(session);
  const mine = { id, name, goesAlong: false };
  change(session, { ...before, reading: [...before.reading, mine] });
  try {
    const read = await reading;
    const taken = take(session, id);
    if (!taken) return null;
    write(read, taken.goesAlong);
    if (taken.goesAlong) sendWhatIsRead(session);
    return read;
  } catch (thrown) {
    const taken = take(session, id);
    if (!taken) return null;
    if (taken.goesAlong) callOff(session);
    throw thrown;
  }
}

function sendWhatIsRead(session: SessionId) {
  const { reading, due } = of(session);
  if (reading.some(({ goesAlong }) => goesAlong)) return;
  change(session, { reading, due: null });
  due?.send();
}

/** From now on a message waits for what is being read. */
export function wait(session: SessionId, due: Due) {
  const reading = of(session).reading.map((one) => ({ ...one, goesAlong: true }));
  change(session, { reading, due });
}

/** The message that waits goes back into the box, and so does what is read for it. */
export function callOff(session: SessionId) {
  const { reading, due } = of(session);
  change(session, { reading: reading.map((one) => ({ ...one, goesAlong: false })), due: null });
  due?.giveBack();
}

/** Nothing that is being read under this number comes any more; a message is not sent without it. */
export function dismiss(session: SessionId, id: number) {
  if (take(session, id)?.goesAlong) callOff(session);
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** What is being read for a box. */
export const useReading = (session: SessionId) =>
  useSyncExternalStore(watch, () => of(session).reading);
