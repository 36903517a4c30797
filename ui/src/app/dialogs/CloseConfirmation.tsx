/** The question of a user's close: what is running or unsaved, and what can be done about it. */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { CloseDecision, CloseRequest, SessionItem } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useSessions } from '../../state/queries/queries';
import { isReplying } from '../../state/turn/turnStore';
import { useSaveUnstored } from '../../state/turn/useSaveUnstored';

type CloseConfirmationProps = {
  request: CloseRequest;
  /** The sessions with unsaved text in the app window; null: outside any session. */
  unsavedHere: readonly (SessionItem | null)[];
};

export function CloseConfirmation({ request, unsavedHere }: CloseConfirmationProps) {
  const { running, unsavedSessions, unsavedQuickAsk } = request;
  const { answeringAside, importing, exporting, unstored } = running;
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const saveUnstored = useSaveUnstored(useToast());
  const { data: sessions = [] } = useSessions();
  const unsaved = new Set([
    ...unsavedHere,
    ...sessions.filter(({ id }) => unsavedSessions.includes(id)),
  ]);
  const isUnsaved = unsaved.size > 0;
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
    if (isUnsaved) return text('app.closingUnsaved');
    return text(unsavedQuickAsk ? 'app.closingQuickAsk' : 'app.closingDone');
  };
  const nothing = answeringAside ? 'app.closingAsideWords' : 'app.closingNothing';
  const notStored = unstored > 0 ? 'app.closingUnstoredWords' : nothing;
  const notKept = unsavedQuickAsk ? 'app.closingQuickAskWords' : notStored;
  const done = isUnsaved ? 'app.closingUnsavedWords' : notKept;
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
      {unstored > 0 && (!isDone || isUnsaved || unsavedQuickAsk) && (
        <p>{text('app.closingUnstoredWords')}</p>
      )}
      {!isDone && isUnsaved && <p>{text('app.closingUnsavedToo')}</p>}
      {unsavedQuickAsk && (!isDone || isUnsaved) && <p>{text('app.closingQuickAskWords')}</p>}
      {[...unsaved].map(
        (session) =>
          session && (
            <p key={session.id}>
              {text('app.closingUnsavedIn', { title: session.name ?? text('threads.untitled') })}
            </p>
          ),
      )}
      {answeringAside && (!isDone || done !== 'app.closingAsideWords') && (
        <p>{text('app.closingAsideWords')}</p>
      )}
      {importing && <p>{text('app.closingImportWords')}</p>}
      {exporting && <p>{text('app.closingExportWords')}</p>}
    </Dialog>
  );
}
