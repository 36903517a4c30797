/**
 * Deletes a session; the toast offers to undo it.
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
  const reportError = useReportError(toast);
  const { commands } = useBackend();
  const deleteSession = async ({ id, name }: SessionItem) => {
    await commands.deleteSessions([id]);
    toast({
      words: text('threads.deleted', { title: name ?? text('threads.untitled') }),
      of: sessionToastId(id),
      undo: () => {
        reportError(commands.restoreSessions([id]));
      },
    });
  };
  return (session: SessionItem) => {
    reportError(deleteSession(session));
  };
}
