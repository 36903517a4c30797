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
/** What is for the box alone is never sent before it has stood there. */
type Reading = { id: number; name: string; goes: 'intoBox' | 'withMessage' | 'along' };
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

const goesAlong = ({ goes }: Reading) => goes === 'along';
/** Whether a message would wait for it. */
export const mayGo = ({ goes }: Reading) => goes !== 'intoBox';

/** Takes one away; undefined: it was called off. */
function take(session: SessionId, id: number): Reading | undefined {
  const { reading, due } = of(session);
  change(session, { reading: reading.filter((one) => one.id !== id), due });
  return reading.find((one) => one.id === id);
}

type Writes<Read> = (read: Read, goesAlong: boolean) => void;

/**
 * Reads something for the box of a session and writes it there, or into the message that waits for it.
 * Resolves to null where it was called off. Rejects as the reading does.
 */
export const bring = <Read>(
  session: SessionId,
  name: string,
  reading: Promise<Read>,
  write: Writes<Read>,
) => read(session, { name, goes: 'withMessage' }, reading, write);

/** The same for words that are to be seen in the box first: no message waits for them. */
export const bringWords = (
  session: SessionId,
  name: string,
  reading: Promise<string>,
  write: (words: string) => void,
) => read(session, { name, goes: 'intoBox' }, reading, write);

async function read<Read>(
  session: SessionId,
  what: Pick<Reading, 'name' | 'goes'>,
  reading: Promise<Read>,
  write: Writes<Read>,
): Promise<Read | null> {
  latest += 1;
  const id = latest;
  const before = of(session);
  change(session, { ...before, reading: [...before.reading, { id, ...what }] });
  try {
    const done = await reading;
    const taken = take(session, id);
    if (!taken) return null;
    write(done, goesAlong(taken));
    if (goesAlong(taken)) sendWhatIsRead(session);
    return done;
  } catch (thrown) {
    const taken = take(session, id);
    if (!taken) return null;
    if (goesAlong(taken)) callOff(session);
    throw thrown;
  }
}

function sendWhatIsRead(session: SessionId) {
  const { reading, due } = of(session);
  if (reading.some(goesAlong)) return;
  change(session, { reading, due: null });
  due?.send();
}

/** From now on a message waits for what is being read. */
export function wait(session: SessionId, due: Due) {
  const reading = of(session).reading.map((one): Reading =>
    mayGo(one) ? { ...one, goes: 'along' } : one,
  );
  change(session, { reading, due });
}

/** The message that waits goes back into the box, and so does what is read for it. */
export function callOff(session: SessionId) {
  const { reading, due } = of(session);
  const back = reading.map((one): Reading =>
    goesAlong(one) ? { ...one, goes: 'withMessage' } : one,
  );
  change(session, { reading: back, due: null });
  due?.giveBack();
}

/** Nothing that is being read under this number comes any more; a message is not sent without it. */
export function dismiss(session: SessionId, id: number) {
  const taken = take(session, id);
  if (taken && goesAlong(taken)) callOff(session);
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
