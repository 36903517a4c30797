/**
 * For how long something is waited for, once that is long. Only seen: whoever listens would hear each.
 */
import { useEffect, useState } from 'react';
import { useText } from '../i18n';

/** Seconds: less needs no counting. */
const long = 5;

/** `since`: ms since 1970; without it, since this is shown. */
export function Seconds({ since }: { since?: number | undefined }) {
  const text = useText();
  const [begun] = useState(() => Date.now());
  const [now, setNow] = useState(begun);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const seconds = Math.floor((now - (since ?? begun)) / 1000);
  return (
    seconds >= long && (
      <span className="Message-seconds" aria-hidden="true">
        {' '}
        {text('providers.usageSeconds', { seconds })}
      </span>
    )
  );
}
