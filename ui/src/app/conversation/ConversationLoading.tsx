/** Replaces a conversation that is loading. Usually it is loaded before this appears. */
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import { Spinner } from '../../kit/display/Spinner';

/** The delay before it appears, in ms. */
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
  return (
    <div className="ConversationLoading">
      {late && <Spinner>{text('transcript.loading')}</Spinner>}
    </div>
  );
}
