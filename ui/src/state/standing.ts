/**
 * What stood in the way of a conversation is said for as long as it stands there: in another thread, with
 * another model and once it was compacted, it is over.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type {
  CompactionStatus,
  Error as Fault,
  PointId,
  SessionId,
  SessionView,
  ThreadId,
} from '../ipc/bindings';
import { keyOf } from './model';
import { keys, useCompaction } from './reading';
import { turns } from './turn';

/** Where a session stood when it was last looked at; no point: none was made since the start. */
type Place = { thread: ThreadId; model: string; point: PointId | null };
const places = new Map<SessionId, Place>();

export function useStanding({ session, model }: SessionView) {
  const { id, currentThread: thread } = session;
  const { data: status } = useCompaction(id);
  const dismiss = useDismissedCompaction(id);
  const done = status?.type === 'done' ? status.pointId : null;
  const name = keyOf(model);
  useEffect(() => {
    const before = places.get(id);
    const point = done ?? before?.point ?? null;
    places.set(id, { thread, model: name, point });
    if (!before) return;
    if (before.thread === thread && before.model === name && before.point === point) return;
    const turn = turns.get(id);
    // What a turn says while it runs is newer than where it stands.
    if (!turn.running) turns.set(id, { ...turn, fault: null, refused: null, putAway: [] });
    dismiss();
  }, [id, thread, name, done, dismiss]);
}

/** Why the last compaction changed nothing; null where it did, and where the person stopped it. */
export function useCompactionFault(id: SessionId): Fault | null {
  const { data: status } = useCompaction(id);
  return status?.type === 'failed' && !isCancelled(status.error) ? status.error : null;
}

/** The person's own doing stands in nobody's way. */
const isCancelled = (fault: Fault) => fault.kind === 'notCompacted' && fault.reason === 'cancelled';

/** Puts away that the last compaction changed nothing. Rust knows of it until the next one. */
export function useDismissedCompaction(id: SessionId) {
  const client = useQueryClient();
  return useCallback(() => {
    client.setQueryData<CompactionStatus>(keys.compaction(id), (status) =>
      status?.type === 'failed' ? { type: 'idle' } : status,
    );
  }, [client, id]);
}
