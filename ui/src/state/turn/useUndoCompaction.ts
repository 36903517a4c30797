/**
 * Undoes a compaction of a thread, and redoes the one undone last. Each shows a toast that offers the
 * other and replaces its toast; after an undo a warning tells if the next message would compact again.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { PointId, SessionId, ThreadId } from '../../ipc/bindings';
import { useReportError } from '../text/useReportError';
import { compactionToastId } from '../text/toastIds';

/** Shows a toast. The returned function changes its text. */
type ShowUpdatableToast = (toast: {
  words: string;
  of?: string;
  undo?: () => void;
  undoName?: string;
  failed?: boolean;
}) => (words: string) => void;

const nothingWritten = { text: '', attachments: [] };

/** Both resolve when they are done, and reject with the error. */
export function useUndoCompaction(say: ShowUpdatableToast) {
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
    const reword = say({
      words: text('transcript.undone'),
      of: compactionToastId(session),
      undo: () => {
        reportError(redo(session, thread));
      },
      undoName: text('transcript.redo'),
    });
    // The estimate counts the whole conversation, which takes time. If it fails, the toast stays as it is.
    commands.estimate(session, nothingWritten).then(
      ({ due }) => {
        if (due?.type === 'compaction') reword(text('transcript.undoneForNow'));
      },
      () => undefined,
    );
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
