/**
 * Nothing has arrived yet.
 */
import { useText } from '../i18n';
import { Seconds } from './Seconds';

/** `since`: ms since 1970; without it, since this is shown. */
export function Waiting({ since }: { since?: number }) {
  const text = useText();
  return (
    <p className="Message-waiting">
      {text('transcript.waiting')}
      <Seconds since={since} />
    </p>
  );
}
