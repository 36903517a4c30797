/**
 * Takes the latest compaction of a thread back and puts it back again, wherever that is asked for. Either
 * says so, in the place of what the other said, and offers the other; after the first a warning says where
 * the next message would compact again.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId, ThreadId } from '../../ipc/bindings';
import { useReportError } from '../text/useReportError';
import { compactionToastId } from '../text/toastIds';

/** Shows a toast. What it returns says the same toast in other words. */
type ShowUpdatableToast = (toast: {
  words: string;
  of?: string;
  undo?: () => void;
  failed?: boolean;
}) => (words: string) => void;

const nothingWritten = { text: '', attachments: [] };

/** Each resolves once it is done, and rejects with why it could not be. */
export function useUndoCompaction(say: ShowUpdatableToast) {
  const text = useText();
  const attempt = useReportError(say);
  const { commands } = useBackend();
  const undo = async (session: SessionId, thread: ThreadId): Promise<void> => {
    await commands.undoCompaction(thread);
    const reword = say({
      words: text('transcript.undone'),
      of: compactionToastId(session),
      undo: () => {
        attempt(redo(session, thread));
      },
    });
    // That takes as long as counting the whole conversation; where it fails, there is no more to say.
    commands.estimate(session, nothingWritten).then(
      ({ due }) => {
        if (due?.type === 'compaction') reword(text('transcript.undoneForNow'));
      },
      () => undefined,
    );
  };
  const redo = async (session: SessionId, thread: ThreadId): Promise<void> => {
    await commands.redoCompaction(thread);
    say({
      words: text('transcript.redone'),
      of: compactionToastId(session),
      undo: () => {
        attempt(undo(session, thread));
      },
    });
  };
  return { undo, redo };
}
