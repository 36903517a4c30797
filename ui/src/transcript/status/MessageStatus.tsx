/**
 * How a message ended, if not normally, and the actions for that.
 */
import { useText } from '../../i18n';
import type { Message, ProviderId, SessionId } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { parseStoredError, errorText } from '../../state/text/errorText';
import { useOnline } from '../../state/hooks/useOnline';
import { useTurn } from '../../state/turn/turnStore';
import { TruncatedReply } from './TruncatedReply';
import { FixProviderLink } from './FixProviderLink';
import { RetryButton } from './RetryButton';
import { needsResume, ResumePrompt } from './ResumePrompt';
import { WaitingIndicator } from './WaitingIndicator';
import { OverflowActions } from './OverflowActions';

type MessageStatusProps = {
  message: Message;
  sessionId: SessionId;
  last: boolean;
  onContinue: () => Promise<unknown>;
  onProvider: (provider: ProviderId) => void;
};

/** The actions disappear while a turn runs; until it reports something, an indicator is shown. */
export function MessageStatus({ last, ...props }: MessageStatusProps) {
  const { message, sessionId } = props;
  const running = useTurn(sessionId, (turn) => turn.running);
  const unheard = useTurn(sessionId, (turn) => turn.waiting.type === 'model');
  const goesOn = last && canContinue(message);
  return (
    <>
      <StatusLine {...props} offered={goesOn && !running} />
      {goesOn && running && unheard && <WaitingIndicator />}
    </>
  );
}

function canContinue(message: Message): boolean {
  switch (message.state.type) {
    case 'streaming':
      return false;
    case 'complete':
      return needsResume(message);
    case 'ended':
      return message.state.at.type !== 'filter';
    case 'interrupted':
    case 'failed':
      return true;
  }
}

type StatusLineProps = Omit<MessageStatusProps, 'last'> & {
  /** The reply can be continued, and no turn runs. */
  offered: boolean;
};

function StatusLine(props: StatusLineProps) {
  const { message, sessionId, offered, onContinue } = props;
  const text = useText();
  switch (message.state.type) {
    case 'streaming':
      return null;
    case 'complete':
      return <ResumePrompt {...{ message, sessionId, offered, onContinue }} />;
    case 'ended':
      return <TruncatedReply {...{ message, offered, onContinue }} at={message.state.at} />;
    case 'interrupted':
      return (
        <p className="Message-ending">
          {text(
            message.parts.length === 0 ? 'transcript.interruptedEmpty' : 'transcript.interrupted',
          )}
          {offered && (
            <Button kind="quiet" onClick={() => void onContinue()}>
              {text('transcript.continue')}
            </Button>
          )}
        </p>
      );
    case 'failed':
      return <FailedReply {...props} error={message.state.error} />;
  }
}

function FailedReply(props: StatusLineProps & { error: string }) {
  const { error, message, sessionId, offered, onContinue, onProvider } = props;
  const text = useText();
  const online = useOnline();
  const fault = parseStoredError(error);
  if (!offered) {
    return (
      <Banner kind="danger" news={false}>
        {errorText(text, fault)}
      </Banner>
    );
  }
  return (
    // Not a live region: rows mount again and again. useAnnounceTranscript.ts announces the status once.
    <Banner
      kind="danger"
      news={false}
      actions={
        <>
          <RetryButton {...{ fault, sessionId }} onRetry={onContinue} />
          <FixProviderLink
            {...{ fault, sessionId, onProvider }}
            provider={message.model?.provider}
          />
        </>
      }
    >
      {fault.kind === 'unreachable' && !online && <strong>{text('providers.offline')}</strong>}
      {errorText(text, fault)}
      {fault.kind === 'tooLong' && <OverflowActions sessionId={sessionId} limit={fault.limit} />}
    </Banner>
  );
}
