/**
 * Nothing has arrived yet.
 */
import { useText } from '../../i18n';
import { Elapsed } from './Elapsed';

/** `since`: ms since 1970; without it, since this is shown. */
export function WaitingIndicator({ since }: { since?: number }) {
  const text = useText();
  return (
    <p className="Message-waiting">
      {text('transcript.waiting')}
      <Elapsed since={since} />
    </p>
  );
}
