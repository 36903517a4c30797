/**
 * How a message ended, where that is not simply with its last word, and what can be done about it.
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

/** What is offered goes while a turn runs; until that says something, it stands there that it does. */
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
  /** It can be gone on from, and nothing goes on yet. */
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
    // It is announced when it happens (useAnnounceTranscript.ts): rows come into the page again and again.
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
