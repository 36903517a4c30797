/** Asks a user who closes the window of a session while text in it is unsaved. */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { CloseDecision } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { Dialog } from '../../kit/overlays/Dialog';
import { useNoteUnsaved } from '../../state/app/useNoteUnsaved';
import { useCloseRequest } from '../../state/queries/queries';
import { useReportError } from '../../state/text/useReportError';
import { useUnsavedSessions } from './useUnsavedSessions';

export function CloseSessionDialog() {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  useNoteUnsaved(useUnsavedSessions().length > 0);
  const { data: request } = useCloseRequest();
  const answer = (given: CloseDecision) => () => {
    reportError(commands.answerClosing(given));
  };
  return (
    request && (
      <Dialog
        title={text('app.closingUnsaved')}
        onClose={answer('stay')}
        actions={
          <>
            <Button onClick={answer('quit')}>{text('app.closingWindow')}</Button>
            <Button kind="primary" onClick={answer('stay')}>
              {text('app.closingKeepWindow')}
            </Button>
          </>
        }
      >
        <p>{text('app.closingWindowWords')}</p>
      </Dialog>
    )
  );
}
