/**
 * Starts a compaction for the user, and starts the last one again after a budget stopped it: with the same
 * words on what to keep, or as the same renewal of a summary.
 */
import { useMemo } from 'react';
import { useBackend } from '../../ipc';
import type { ChosenRange, PointId, SessionId } from '../../ipc/bindings';

type StartCompaction = () => Promise<unknown>;

/** The last compaction that the user started in each session, until it is applied or dismissed. */
const lastStarts = new Map<SessionId, StartCompaction>();

export function forgetCompactionStart(session: SessionId) {
  lastStarts.delete(session);
}

export function useCompactionActions(session: SessionId) {
  const { commands } = useBackend();
  return useMemo(() => {
    const begin = async (start: StartCompaction) => {
      await start();
      lastStarts.set(session, start);
    };
    /** Without `range` the older messages; `keep`: the user's words on what to keep. */
    const compact = (range: ChosenRange | null = null, keep: string | null = null) =>
      begin(() => commands.compact(session, range, keep));
    return {
      compact,
      renewSummary: (point: PointId | null) => begin(() => commands.renewSummary(session, point)),
      /** Starts the user's last compaction again; an ordinary one if the last was automatic. */
      repeat: () => {
        const start = lastStarts.get(session);
        return start ? begin(start) : compact();
      },
    };
  }, [commands, session]);
}
