/**
 * A reply is read aloud once, whole, when it has ended: the log itself stays silent while it grows.
 * Of the tools it calls the names are said, and of what says and calls nothing, nothing.
 */
import { useEffect, useRef } from 'react';
import { useText, type Text } from '../i18n';
import type { Message, SessionId, ThreadId } from '../ipc/bindings';
import { useAnnounce } from '../kit/Announcer';
import { spoken } from '../markdown/spoken';
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
    announce(sentencesOf(reply, text));
  }, [reply, announce, text]);
}

const ended = (live: readonly Message[], threadId: ThreadId) =>
  live.findLast(
    (message) =>
      message.role === 'assistant' &&
      message.threadId === threadId &&
      message.state.type !== 'streaming',
  );

function* sentencesOf(reply: Message, text: Text): Generator<string, void> {
  let speaker = `${text('transcript.assistant')}: `;
  for (const words of spoken(plainText(reply), text)) {
    yield speaker + words;
    speaker = '';
  }
  const names = reply.parts.flatMap((part) => (part.type === 'tool' ? [part.call.name] : []));
  if (names.length > 0) yield text('tools.called', { names: [...new Set(names)].join(', ') });
}
