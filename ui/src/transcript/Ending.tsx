/**
 * How a message ended, where that is not simply with its last word, and what can be done about it.
 */
import { useText } from '../i18n';
import type { Message, ProviderId, SessionId } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { faultOf, faultWords } from '../state/faults';
import { useOnline } from '../state/online';
import { useTurn } from '../state/turn';
import { EndedEarly } from './EndedEarly';
import { ProviderWay } from './ProviderWay';
import { Retry } from './Retry';
import { isUnfinished, Unfinished } from './Unfinished';
import { Waiting } from './Waiting';
import { WaysOut } from './WaysOut';

type EndingProps = {
  message: Message;
  sessionId: SessionId;
  last: boolean;
  onContinue: () => Promise<unknown>;
  onProvider: (provider: ProviderId) => void;
};

/** What is offered goes while a turn runs; until that says something, it stands there that it does. */
export function Ending({ last, ...props }: EndingProps) {
  const { message, sessionId } = props;
  const running = useTurn(sessionId, (turn) => turn.running);
  const unheard = useTurn(sessionId, (turn) => turn.waiting.type === 'model');
  const goesOn = last && canGoOn(message);
  return (
    <>
      <HowItEnded {...props} offered={goesOn && !running} />
      {goesOn && running && unheard && <Waiting />}
    </>
  );
}

function canGoOn(message: Message): boolean {
  switch (message.state.type) {
    case 'streaming':
      return false;
    case 'complete':
      return isUnfinished(message);
    case 'ended':
      return message.state.at.type !== 'filter';
    case 'interrupted':
    case 'failed':
      return true;
  }
}

type HowItEndedProps = Omit<EndingProps, 'last'> & {
  /** It can be gone on from, and nothing goes on yet. */
  offered: boolean;
};

function HowItEnded(props: HowItEndedProps) {
  const { message, offered, onContinue } = props;
  const text = useText();
  switch (message.state.type) {
    case 'streaming':
      return null;
    case 'complete':
      return <Unfinished {...{ message, offered, onContinue }} />;
    case 'ended':
      return <EndedEarly {...{ message, offered, onContinue }} at={message.state.at} />;
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
      return <Failed {...props} error={message.state.error} />;
  }
}

function Failed(props: HowItEndedProps & { error: string }) {
  const { error, message, sessionId, offered, onContinue, onProvider } = props;
  const text = useText();
  const online = useOnline();
  const fault = faultOf(error);
  if (!offered) {
    return (
      <Banner kind="danger" news={false}>
        {faultWords(text, fault)}
      </Banner>
    );
  }
  return (
    // It is announced when it happens (announcing.ts): rows come into the page again and again.
    <Banner
      kind="danger"
      news={false}
      actions={
        <>
          <Retry {...{ fault, sessionId }} onRetry={onContinue} />
          <ProviderWay {...{ fault, sessionId, onProvider }} provider={message.model?.provider} />
        </>
      }
    >
      {fault.kind === 'unreachable' && !online && <strong>{text('providers.offline')}</strong>}
      {faultWords(text, fault)}
      {fault.kind === 'tooLong' && <WaysOut sessionId={sessionId} limit={fault.limit} />}
    </Banner>
  );
}
