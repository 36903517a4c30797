/**
 * Messages that have left the box and are not in the conversation yet: storing megabytes takes seconds. A
 * short one is there sooner than it could be read here.
 */
import { useText } from '../../i18n';
import type { Draft } from '../../ipc/bindings';
import { Spinner } from '../../kit/display/Spinner';
import { excerpt } from '../../state/text/excerpt';
import { useDebounced } from '../../state/hooks/useDebounced';
import './QueuedMessages.css';

/** Characters from which on a message is shown at once. */
const longMessage = 50_000;
/** How long a shorter one may be on its way unseen, in ms. */
const showAfterMs = 200;

export function SendingMessages({ messages }: { messages: readonly Draft[] }) {
  const text = useText();
  const rested = useDebounced(messages, showAfterMs);
  const shown = messages.filter(
    (message) => message.text.length >= longMessage || rested.includes(message),
  );
  if (shown.length === 0) return null;
  return (
    <section className="Waiting" aria-label={text('waiting.underWay')}>
      <div className="Waiting-note">
        <Spinner>{text('waiting.underWay')}</Spinner>
      </div>
      {shown.map((message, at) => (
        <p key={at} className="Waiting-words" dir="auto">
          {excerpt(message.text, 200)}
        </p>
      ))}
    </section>
  );
}
