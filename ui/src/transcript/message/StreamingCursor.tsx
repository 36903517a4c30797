/**
 * A reply that has not ended: a mark at its end, and once nothing has come for a while, that it waits and
 * for how long.
 * Only seen: whoever listens hears the reply when it has ended.
 */
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import type { Message } from '../../ipc/bindings';
import { Elapsed } from '../status/Elapsed';
import { WaitingIndicator } from '../status/WaitingIndicator';

/** Milliseconds: between two words of a slow model less pass. */
const stallMs = 5_000;

/** `message` is another object with everything that comes. */
export function StreamingCursor({ message }: { message: Message }) {
  const text = useText();
  const [stalled, setStalled] = useState<{ message: Message; since: number } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      setStalled({ message, since: Date.now() - stallMs });
    }, stallMs);
    return () => {
      clearTimeout(timer);
    };
  }, [message]);
  if (message.parts.length === 0) return <WaitingIndicator since={message.createdAt} />;
  // The arguments of a call have a sign of their own, in its line.
  const last = message.parts.at(-1);
  const calls = last?.type === 'tool' && last.call.state.type === 'pending';
  return (
    <p className="Message-growing">
      {stalled?.message === message && !calls && (
        <span>
          {text('transcript.waiting')}
          <Elapsed since={stalled.since} />
        </span>
      )}
    </p>
  );
}
