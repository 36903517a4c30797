/** Asks a user who closes the app window while something is running or unsaved. */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import { LazyDialog } from '../../kit/overlays/LazyDialog';
import { useToast } from '../../kit/notifications/Toast';
import { useNoteUnsaved } from '../../state/app/useNoteUnsaved';
import { useCloseRequest } from '../../state/queries/queries';
import { useReportError } from '../../state/text/useReportError';
import { LazyCloseConfirmation } from './lazyPanels';
import { useUnsavedSessions } from './useUnsavedSessions';

export function CloseDialog() {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const unsaved = useUnsavedSessions();
  useNoteUnsaved(unsaved.length > 0);
  const { data: request } = useCloseRequest();
  const stay = () => {
    reportError(commands.answerClosing('stay'));
  };
  return request ? (
    <LazyDialog title={text('kit.loading')} onClose={stay}>
      <LazyCloseConfirmation request={request} unsavedHere={unsaved} />
    </LazyDialog>
  ) : null;
}
