/**
 * What stood in the way of a conversation is said for as long as it stands there: in another thread, with
 * another model and once it was compacted, it is over.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type {
  CompactionStatus,
  Error as AppError,
  PointId,
  SessionId,
  SessionView,
  ThreadId,
} from '../../ipc/bindings';
import { modelKey } from '../models/modelRef';
import { queryKeys, useCompactionStatus } from '../queries/queries';
import { turnStore } from './turnStore';

/** Where a session stood when it was last looked at; no point: none was made since the start. */
type SessionPosition = { thread: ThreadId; model: string; point: PointId | null };
const sessionPositions = new Map<SessionId, SessionPosition>();

export function useExpireTurnNotices({ session, model }: SessionView) {
  const { id, currentThread: thread } = session;
  const { data: status } = useCompactionStatus(id);
  const dismiss = useDismissCompactionError(id);
  const done = status?.type === 'done' ? status.pointId : null;
  const name = modelKey(model);
  useEffect(() => {
    const before = sessionPositions.get(id);
    const point = done ?? before?.point ?? null;
    sessionPositions.set(id, { thread, model: name, point });
    if (!before) return;
    if (before.thread === thread && before.model === name && before.point === point) return;
    const turn = turnStore.get(id);
    // What a turn says while it runs is newer than where it stands.
    if (!turn.running)
      turnStore.set(id, { ...turn, fault: null, refusedEffort: null, dismissed: [] });
    dismiss();
  }, [id, thread, name, done, dismiss]);
}

/** Why the last compaction changed nothing; null where it did, and where the person stopped it. */
export function useCompactionError(id: SessionId): AppError | null {
  const { data: status } = useCompactionStatus(id);
  return status?.type === 'failed' && !isCancelledCompaction(status.error) ? status.error : null;
}

/** The person's own doing stands in nobody's way. */
const isCancelledCompaction = (fault: AppError) =>
  fault.kind === 'notCompacted' && fault.reason === 'cancelled';

/** Puts away that the last compaction changed nothing. Rust knows of it until the next one. */
export function useDismissCompactionError(id: SessionId) {
  const client = useQueryClient();
  return useCallback(() => {
    client.setQueryData<CompactionStatus>(queryKeys.compaction(id), (status) =>
      status?.type === 'failed' ? { type: 'idle' } : status,
    );
  }, [client, id]);
}
