/**
 * Deletes a session, with the way to have it back beside the words that say so.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionItem } from '../ipc/bindings';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { sessionToastId } from '../state/text/toastIds';

export function useDeleteSession() {
  const text = useText();
  const toast = useToast();
  const attempt = useReportError(toast);
  const { commands } = useBackend();
  const remove = async ({ id, name }: SessionItem) => {
    await commands.deleteSessions([id]);
    toast({
      words: text('threads.deleted', { title: name ?? text('threads.untitled') }),
      of: sessionToastId(id),
      undo: () => {
        attempt(commands.restoreSessions([id]));
      },
    });
  };
  return (session: SessionItem) => {
    attempt(remove(session));
  };
}
