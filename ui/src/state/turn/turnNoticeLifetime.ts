/**
 * Dismisses the notices of a turn when they no longer apply: in another thread, with another model, and
 * after a compaction.
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
import { forgetCompactionStart } from './useCompactionActions';
import { turnStore } from './turnStore';

/** The state in which a notice was shown. `point`: the latest compaction; null: none since the start. */
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
    // Notices of a running turn are newer than the change.
    if (!turn.running)
      turnStore.set(id, { ...turn, fault: null, refusedEffort: null, dismissed: [] });
    dismiss();
  }, [id, thread, name, done, dismiss]);
}

/** Why the last compaction failed; null: it did not, or the user cancelled it. */
export function useCompactionError(id: SessionId): AppError | null {
  const { data: status } = useCompactionStatus(id);
  return status?.type === 'failed' && !isCancelledCompaction(status.error) ? status.error : null;
}

const isCancelledCompaction = (fault: AppError) =>
  fault.kind === 'notCompacted' && fault.reason === 'cancelled';

/** Dismisses the error of the last compaction. Rust keeps it until the next one. */
export function useDismissCompactionError(id: SessionId) {
  const client = useQueryClient();
  return useCallback(() => {
    forgetCompactionStart(id);
    client.setQueryData<CompactionStatus>(queryKeys.compaction(id), (status) =>
      status?.type === 'failed' ? { type: 'idle' } : status,
    );
  }, [client, id]);
}
