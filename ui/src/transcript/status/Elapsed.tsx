/**
 * For how long something is waited for, once that is long. Only seen: whoever listens would hear each.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useNow } from '../../kit/hooks/useNow';

/** Seconds: less needs no counting. */
const showAfterSeconds = 5;

/** `since`: ms since 1970; without it, since this is shown. */
export function Elapsed({ since }: { since?: number | undefined }) {
  const text = useText();
  const now = useNow();
  const [begun] = useState(now);
  const seconds = Math.floor((now - (since ?? begun)) / 1000);
  return (
    seconds >= showAfterSeconds && (
      <span className="Message-seconds" aria-hidden="true">
        {' '}
        {text('providers.usageSeconds', { seconds })}
      </span>
    )
  );
}
