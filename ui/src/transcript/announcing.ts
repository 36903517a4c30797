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
    const sentence = sentenceOf(reply, text);
    if (sentence !== '') announce(sentence);
  }, [reply, announce, text]);
}

const ended = (live: readonly Message[], threadId: ThreadId) =>
  live.findLast(
    (message) =>
      message.role === 'assistant' &&
      message.threadId === threadId &&
      message.state.type !== 'streaming',
  );

function sentenceOf(reply: Message, text: Text): string {
  const words = spoken(plainText(reply), text);
  const names = reply.parts.flatMap((part) => (part.type === 'tool' ? [part.call.name] : []));
  return [
    words && `${text('transcript.assistant')}: ${words}`,
    names.length > 0 && text('tools.called', { names: [...new Set(names)].join(', ') }),
  ]
    .filter(Boolean)
    .join('\n');
}
