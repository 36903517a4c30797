/**
 * Nothing has arrived yet.
 */
import { useText } from '../i18n';

export function Waiting() {
  const text = useText();
  return <p className="Message-waiting">{text('transcript.waiting')}</p>;
}
