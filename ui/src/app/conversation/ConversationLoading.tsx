/**
 * In the place of a conversation that is not read yet. Most are there before this could be read.
 */
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import { Spinner } from '../../kit/display/Spinner';

/** How long nothing is said, in ms. */
const spinnerDelayMs = 200;

export function ConversationLoading() {
  const text = useText();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLate, spinnerDelayMs, true);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return late && <Spinner>{text('transcript.loading')}</Spinner>;
}
