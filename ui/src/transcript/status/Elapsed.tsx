/**
 * The time that something has taken, once it is long. It is not announced: a screen reader would read every
 * second.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useNow } from '../../kit/hooks/useNow';

/** A shorter time is not shown, in seconds. */
const showAfterSeconds = 5;

/** `since`: ms since 1970; undefined: since this mounted. */
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
