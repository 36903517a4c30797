/** Asks a user who closes the app window while something is running or unsaved. */
import { useEffect } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { CloseDecision, ActiveWork, SessionItem } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedInWindow } from '../../kit/overlays/unsavedGuard';
import { useReportError } from '../../state/text/useReportError';
import { useCloseRequest, useSessions } from '../../state/queries/queries';
import { isReplying } from '../../state/turn/turnStore';
import { useSaveUnstored } from '../../state/turn/useSaveUnstored';

export function CloseDialog() {
  const { commands } = useBackend();
  const unsaved = useUnsavedSessions();
  const isUnsaved = unsaved.length > 0;
  const { data: running } = useCloseRequest();
  useEffect(() => {
    // If that fails, the window closes without a question.
    commands.noteUnsaved(isUnsaved).catch(() => undefined);
  }, [commands, isUnsaved]);
  return running ? <CloseConfirmation {...{ running, unsaved }} /> : null;
}

/**
 * The sessions with unsaved text; null: outside any session. Text of a deleted session does not
 * count.
 */
function useUnsavedSessions(): readonly (SessionItem | null)[] {
  const { data: sessions } = useSessions();
  const everywhere = new Set(useUnsavedInWindow().values());
  return [...everywhere].flatMap((of) => {
    const session = sessions?.find(({ id }) => id === of);
    if (session) return [session];
    return of === null || !sessions ? [null] : [];
  });
}

type CloseConfirmationProps = { running: ActiveWork; unsaved: readonly (SessionItem | null)[] };

function CloseConfirmation({ running, unsaved }: CloseConfirmationProps) {
  const { answeringAside, importing, exporting, unstored } = running;
  const isUnsaved = unsaved.length > 0;
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const saveUnstored = useSaveUnstored(useToast());
  const { data: sessions = [] } = useSessions();
  const replies = sessions.filter(({ activity }) => isReplying(activity)).length;
  const compactions = sessions.filter(({ activity }) => activity === 'compacting').length;
  // A side question cannot finish in the background: its answer is stored nowhere.
  const isDone = replies + compactions === 0 && !importing && !exporting;
  const title = () => {
    if (replies > 0) return text('app.closingReplies', { count: replies });
    if (compactions > 0) return text('app.closingCompactions', { count: compactions });
    if (answeringAside) return text('app.closingAside');
    if (importing) return text('app.closingImport');
    if (exporting) return text('app.closingExport');
    if (unstored > 0) return text('app.closingUnstored', { count: unstored });
    return text(isUnsaved ? 'app.closingUnsaved' : 'app.closingDone');
  };
  const nothing = answeringAside ? 'app.closingAsideWords' : 'app.closingNothing';
  const notStored = unstored > 0 ? 'app.closingUnstoredWords' : nothing;
  const done = isUnsaved ? 'app.closingUnsavedWords' : notStored;
  const answer = (given: CloseDecision) => () => {
    reportError(commands.answerClosing(given));
  };
  return (
    <Dialog
      title={title()}
      onClose={answer('stay')}
      actions={
        <>
          <Button onClick={answer('quit')}>{text('app.closingQuit')}</Button>
          {unstored > 0 && (
            <Button icon="download" onClick={saveUnstored}>
              {text('transcript.saveUnstored')}
            </Button>
          )}
          {!isDone && <Button onClick={answer('finish')}>{text('app.closingFinish')}</Button>}
          <Button kind="primary" onClick={answer('stay')}>
            {text('app.closingStay')}
          </Button>
        </>
      }
    >
      <p>{text(isDone ? done : 'app.closingWords')}</p>
      {unstored > 0 && (!isDone || isUnsaved) && <p>{text('app.closingUnstoredWords')}</p>}
      {!isDone && isUnsaved && <p>{text('app.closingUnsavedToo')}</p>}
      {unsaved.map(
        (session) =>
          session && (
            <p key={session.id}>
              {text('app.closingUnsavedIn', { title: session.name ?? text('threads.untitled') })}
            </p>
          ),
      )}
      {answeringAside && (!isDone || isUnsaved || unstored > 0) && (
        <p>{text('app.closingAsideWords')}</p>
      )}
      {importing && <p>{text('app.closingImportWords')}</p>}
      {exporting && <p>{text('app.closingExportWords')}</p>}
    </Dialog>
  );
}
