/**
 * A reply is read aloud once, whole, when it has ended: the log itself stays silent while it grows.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../i18n';
import type { Message, SessionId, ThreadId } from '../ipc/bindings';
import { useAnnounce } from '../kit/Announcer';
import { useTurn } from '../state/turn';
import { plainText } from './plainText';

export function useAnnouncedReplies(sessionId: SessionId, threadId: ThreadId) {
  const text = useText();
  const announce = useAnnounce();
  const reply = useTurn(sessionId, ({ live }) => ended(live, threadId));
  const said = useRef(reply?.id);
  useEffect(() => {
    if (!reply || reply.id === said.current) return;
    said.current = reply.id;
    announce(`${text('transcript.assistant')}: ${plainText(reply)}`);
  }, [reply, announce, text]);
}

function ended(live: readonly Message[], threadId: ThreadId): Message | undefined {
  return live.findLast(
    (message) =>
      message.role === 'assistant' &&
      message.threadId === threadId &&
      message.state.type !== 'streaming' &&
      // A generation that only calls tools says nothing.
      plainText(message).trim() !== '',
  );
}
