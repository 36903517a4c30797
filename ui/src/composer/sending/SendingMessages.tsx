/**
 * Sent messages that Rust has not stored yet: storing megabytes takes seconds. A short message is usually
 * stored before it would be shown here.
 */
import { useText } from '../../i18n';
import type { Draft } from '../../ipc/bindings';
import { Spinner } from '../../kit/display/Spinner';
import { excerpt } from '../../state/text/excerpt';
import { useDebounced } from '../../state/hooks/useDebounced';
import './QueuedMessages.css';

/** A message of this length is shown at once, in characters. */
const longMessage = 50_000;
/** A shorter message is shown after this time, in ms. */
const showAfterMs = 200;

export function SendingMessages({ messages }: { messages: readonly Draft[] }) {
  const text = useText();
  const debounced = useDebounced(messages, showAfterMs);
  const shown = messages.filter(
    (message) => message.text.length >= longMessage || debounced.includes(message),
  );
  if (shown.length === 0) return null;
  return (
    <section className="QueuedMessages" aria-label={text('waiting.storing')}>
      <div className="QueuedMessages-note">
        <Spinner>{text('waiting.storing')}</Spinner>
      </div>
      {shown.map((message, index) => (
        <p key={index} className="QueuedMessages-text" dir="auto">
          {excerpt(message.text, 200)}
        </p>
      ))}
    </section>
  );
}
