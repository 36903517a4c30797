/**
 * What is being read for a box: files, copied pictures, what MCP servers have. It comes into the box of
 * its session, whichever session is seen by then, and a message that goes with it waits for it.
 */
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { SessionId } from '../ipc/bindings';

type Incoming = {
  reading: readonly { id: number; name: string }[];
  /** How many could not be read since the start. */
  lost: number;
};

const nothing: Incoming = { reading: [], lost: 0 };
const bySession = new Map<SessionId, Incoming>();
const watchers = new Set<() => void>();
let latest = 0;

const of = (session: SessionId) => bySession.get(session) ?? nothing;

function change(session: SessionId, next: Incoming) {
  bySession.set(session, next);
  for (const watcher of watchers) watcher();
}

/** Reads something for the box of a session and writes it there. Rejects as the reading does. */
export async function bring<Read>(
  session: SessionId,
  name: string,
  reading: Promise<Read>,
  write: (read: Read) => void,
): Promise<Read> {
  latest += 1;
  const id = latest;
  const before = of(session);
  change(session, { ...before, reading: [...before.reading, { id, name }] });
  let lost = 1;
  try {
    const read = await reading;
    // It is in the box when it is read no longer: a message that waits for it takes it along.
    write(read);
    lost = 0;
    return read;
  } finally {
    const now = of(session);
    const others = now.reading.filter((one) => one.id !== id);
    change(session, { reading: others, lost: now.lost + lost });
  }
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** What is being read for a box, and whether a message waits for it. */
export function useIncoming(session: SessionId) {
  const { reading, lost } = useSyncExternalStore(watch, () => of(session));
  /** What had been lost when the message was to be sent; null: none is. */
  const [due, setDue] = useState<number | null>(null);
  return { reading, lost, due, setDue };
}

/**
 * Sends what is due once all of it is there. What could not be read is not simply left out: then
 * nothing is sent before the person says so again.
 */
export function useSendingWhenRead(incoming: ReturnType<typeof useIncoming>, send: () => void) {
  const { reading, lost, due, setDue } = incoming;
  const whenRead = useEffectEvent(() => {
    setDue(null);
    if (due === lost) send();
  });
  const isRead = reading.length === 0;
  useEffect(() => {
    if (due !== null && isRead) whenRead();
  }, [due, isRead]);
}
