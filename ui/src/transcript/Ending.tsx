/**
 * How a message ended, where that is not simply with its last word, and what can be done about it.
 */
import { useText } from '../i18n';
import type { Error as Fault, Message, SessionId } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { faultWords } from '../state/faults';
import { EndedEarly } from './EndedEarly';
import { ProviderWay } from './ProviderWay';
import { Unfinished } from './Unfinished';
import { WaysOut } from './WaysOut';

type EndingProps = {
  message: Message;
  sessionId: SessionId;
  last: boolean;
  onContinue: () => Promise<unknown>;
  onProviders: () => void;
};

export function Ending({ message, sessionId, last, onContinue, onProviders }: EndingProps) {
  const text = useText();
  switch (message.state.type) {
    case 'streaming':
      return null;
    case 'complete':
      return last && <Unfinished {...{ message, sessionId, onContinue }} />;
    case 'ended':
      return <EndedEarly {...{ message, sessionId, last, onContinue }} at={message.state.at} />;
    case 'interrupted':
      return (
        <p className="Message-ending">
          {text(
            message.parts.length === 0 ? 'transcript.interruptedEmpty' : 'transcript.interrupted',
          )}
          {last && (
            <Button kind="quiet" onClick={() => void onContinue()}>
              {text('transcript.continue')}
            </Button>
          )}
        </p>
      );
    case 'failed': {
      const fault = JSON.parse(message.state.error) as Fault;
      if (!last) return <Banner kind="danger">{faultWords(text, fault)}</Banner>;
      return (
        <Banner
          kind="danger"
          actions={
            <>
              <Button icon="refresh" onClick={() => void onContinue()}>
                {text('transcript.retry')}
              </Button>
              <ProviderWay fault={fault} onProviders={onProviders} />
            </>
          }
        >
          {fault.kind === 'unreachable' && !navigator.onLine && (
            <strong>{text('providers.offline')}</strong>
          )}
          {faultWords(text, fault)}
          {fault.kind === 'tooLong' && <WaysOut sessionId={sessionId} limit={fault.limit} />}
        </Banner>
      );
    }
  }
}
