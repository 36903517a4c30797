/**
 * The end of a streaming reply: a cursor, and after a pause the time since the last delta. It is not
 * announced: screen readers get the finished reply.
 */
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import type { Message } from '../../ipc/bindings';
import { Elapsed } from '../status/Elapsed';
import { WaitingIndicator } from '../status/WaitingIndicator';

/** A longer pause is shown, in ms: a slow model pauses less between two words. */
const stallMs = 5_000;

/** `message` is a new object with each delta. */
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
  // Streaming tool arguments have an indicator of their own (ToolArgsProgress.tsx).
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
