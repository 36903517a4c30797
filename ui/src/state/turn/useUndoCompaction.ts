/**
 * Two commands for the compactions of a thread: undo one, and redo the one undone last. The toast after
 * an undo offers the redo, and the other way round; there is one such toast at a time.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { PointId, SessionId, ThreadId } from '../../ipc/bindings';
import { useReportError } from '../text/useReportError';
import { compactionToastId } from '../text/toastIds';

type ShowToast = (toast: {
  words: string;
  of?: string;
  undo?: () => void;
  undoName?: string;
  failed?: boolean;
}) => void;

/** Both resolve when they are done, and reject with the error. */
export function useUndoCompaction(say: ShowToast) {
  const text = useText();
  const reportError = useReportError(say);
  const { commands } = useBackend();
  /** Without `point` the newest compaction. */
  const undo = async (
    session: SessionId,
    thread: ThreadId,
    point: PointId | null = null,
  ): Promise<void> => {
    await commands.undoCompaction(thread, point);
    say({
      words: text('transcript.undone'),
      of: compactionToastId(session),
      undo: () => {
        reportError(redo(session, thread));
      },
      undoName: text('transcript.redo'),
    });
  };
  const redo = async (session: SessionId, thread: ThreadId): Promise<void> => {
    const point = await commands.redoCompaction(thread);
    say({
      words: text('transcript.redone'),
      of: compactionToastId(session),
      undo: () => {
        reportError(undo(session, thread, point));
      },
    });
  };
  return { undo, redo };
}
