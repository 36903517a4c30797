/**
 * A notice of Skein in the conversation. One that began a new thread has a link to the previous one.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Notice, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Icon } from '../../kit/controls/Icon';
import { useToast, useWithdrawToasts } from '../../kit/notifications/Toast';
import { VisuallyHidden } from '../../kit/a11y/VisuallyHidden';
import { useReportError } from '../../state/text/useReportError';
import { noticeText } from '../../state/text/noticeText';
import { useSession, useStrategies } from '../../state/queries/queries';
import { clearToastId } from '../../state/text/toastIds';

type NoticeViewProps = { notice: Notice; sessionId: SessionId; readOnly: boolean };

export function NoticeView({ notice, sessionId, readOnly }: NoticeViewProps) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const withdraw = useWithdrawToasts();
  const back = async () => {
    await commands.undoClear(sessionId);
    // An older toast with the same offer.
    withdraw(clearToastId(sessionId));
  };
  const begins = notice.type === 'cleared' || notice.type === 'archived';
  return (
    <article className="Notice" aria-label={text('transcript.notice')} data-kind={notice.type}>
      <p>
        <NoticeText words={noticeText(text, notice)} />
      </p>
      {begins && !readOnly && (
        <Button
          kind="quiet"
          icon="undo"
          onClick={() => {
            reportError(back());
          }}
        >
          {text('transcript.backToThread')}
        </Button>
      )}
      {!begins && !readOnly && <ToolsUnsupportedHint sessionId={sessionId} />}
    </article>
  );
}

const warning = '⚠️ ';

/** The symbol of a notice is drawn: not every machine has a font with it. */
function NoticeText({ words }: { words: string }) {
  if (!words.startsWith(warning)) return words;
  return (
    <>
      <Icon name="warning" />
      <VisuallyHidden>{warning}</VisuallyHidden>
      {words.slice(warning.length)}
    </>
  );
}

/** A model without tools cannot follow the reminder: the notice offers another way. */
function ToolsUnsupportedHint({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const { commands } = useBackend();
  const { data: numbers } = useStrategies(sessionId);
  const { data: view } = useSession(sessionId);
  const reportError = useReportError(useToast());
  if (view?.strategy !== 'remind' || numbers?.takesTools !== false) return null;
  return (
    <>
      <p>{text('strategy.noTools')}</p>
      <Button
        kind="quiet"
        onClick={() => {
          reportError(commands.setOverride(sessionId, { name: 'strategy', value: 'summarize' }));
        }}
      >
        {text('strategy.useSummarize')}
      </Button>
    </>
  );
}
