/**
 * Asks whoever closes the window while something runs behind it. Nothing is decided before they answer.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ClosingAnswer } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Dialog } from '../kit/Dialog';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { useClosing, useSessions } from '../state/reading';
import { isReplying } from '../state/turn';

export function Closing() {
  const { data: isAsked } = useClosing();
  return isAsked === true ? <ClosingDialog /> : null;
}

function ClosingDialog() {
  const text = useText();
  const { commands } = useBackend();
  const attempt = useAttempting(useToast());
  const { data: sessions = [] } = useSessions();
  const replies = sessions.filter(({ activity }) => isReplying(activity)).length;
  const compactions = sessions.filter(({ activity }) => activity === 'compacting').length;
  const isDone = replies + compactions === 0;
  const answer = (given: ClosingAnswer) => () => {
    attempt(commands.answerClosing(given));
  };
  return (
    <Dialog
      title={
        isDone
          ? text('app.closingDone')
          : replies > 0
            ? text('app.closingReplies', { count: replies })
            : text('app.closingCompactions', { count: compactions })
      }
      onClose={answer('stay')}
      actions={
        <>
          <Button onClick={answer('quit')}>{text('app.closingQuit')}</Button>
          {!isDone && <Button onClick={answer('finish')}>{text('app.closingFinish')}</Button>}
          <Button kind="primary" onClick={answer('stay')}>
            {text('app.closingStay')}
          </Button>
        </>
      }
    >
      <p>{text(isDone ? 'app.closingNothing' : 'app.closingWords')}</p>
    </Dialog>
  );
}
