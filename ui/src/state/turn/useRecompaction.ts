/**
 * The compaction that was undone last, if the next message compacts again.
 */
import { useBackend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { useEstimate } from '../queries/estimateQueries';
import { useCompactions, useCompactionStatus } from '../queries/queries';

const emptyDraft = { text: '', attachments: [] };

type Recompaction = { switchOff: () => Promise<unknown> };

/** `switchOff` switches auto-compaction off for the session. null: no compaction happens again. */
export function useRecompaction(session: SessionId): Recompaction | null {
  const { commands } = useBackend();
  const isUndone = (useCompactions(session).data?.undone ?? null) !== null;
  const isCompacting = useCompactionStatus(session).data?.type === 'running';
  const { data: estimate } = useEstimate(session, emptyDraft, isUndone);
  if (!isUndone || isCompacting || estimate?.due?.type !== 'compaction') return null;
  return {
    switchOff: () => commands.setOverride(session, { name: 'autoCompaction', value: 'off' }),
  };
}
