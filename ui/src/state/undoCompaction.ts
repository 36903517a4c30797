/**
 * Takes the latest compaction of a thread back, wherever that is asked for: says so, offers to take that
 * back, and warns where the next message would compact again.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId, ThreadId } from '../ipc/bindings';
import { useAttempting } from './attempt';

/** Shows a toast. What it returns says the same toast in other words. */
type Say = (toast: {
  words: string;
  undo?: () => void;
  failed?: boolean;
}) => (words: string) => void;

const nothingWritten = { text: '', attachments: [] };

/** Resolves once it is undone, and rejects with why it could not be. */
export function useUndoCompaction(say: Say) {
  const text = useText();
  const attempt = useAttempting(say);
  const { commands } = useBackend();
  return async (session: SessionId, thread: ThreadId): Promise<void> => {
    await commands.undoCompaction(thread);
    const reword = say({
      words: text('transcript.undone'),
      undo: () => {
        attempt(commands.redoCompaction(thread));
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
}
