/**
 * A reply that has not ended: a mark at its end, and once nothing has come for a while, that it waits.
 * Only seen: whoever listens hears the reply when it has ended.
 */
import { useEffect, useState } from 'react';
import { useText } from '../i18n';
import type { Message } from '../ipc/bindings';
import { Waiting } from './Waiting';

/** Milliseconds: between two words of a slow model less pass. */
const silence = 5_000;

/** `message` is another object with everything that comes. */
export function Growing({ message }: { message: Message }) {
  const text = useText();
  const [stalled, setStalled] = useState<Message | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      setStalled(message);
    }, silence);
    return () => {
      clearTimeout(timer);
    };
  }, [message]);
  if (message.parts.length === 0) return <Waiting />;
  // The arguments of a call come without a sign.
  const last = message.parts.at(-1);
  const calls = last?.type === 'tool' && last.call.state.type === 'pending';
  return (
    <p className="Message-growing">{stalled === message && !calls && text('transcript.waiting')}</p>
  );
}
