/**
 * The indicator before the first delta of a reply.
 */
import { useText } from '../../i18n';
import { Elapsed } from './Elapsed';

/** `since`: ms since 1970; undefined: since this mounted. */
export function WaitingIndicator({ since }: { since?: number }) {
  const text = useText();
  return (
    <p className="Message-waiting">
      {text('transcript.waiting')}
      <Elapsed since={since} />
    </p>
  );
}
