/**
 * A reply is read aloud once, whole, when it has ended: the log itself stays silent while it grows.
 * Of the tools it calls the names are said, and of what says and calls nothing, nothing.
 */
import { useEffect, useRef } from 'react';
import { useFormats, useText } from '../i18n';
import type { Message, SessionId, ThreadId } from '../ipc/bindings';
import { useAnnounce } from '../kit/Announcer';
import { spoken, type Voice } from '../markdown/spoken';
import { useTurn } from '../state/turn';
import { plainText } from './plainText';

export function useAnnouncedReplies(sessionId: SessionId, threadId: ThreadId) {
  const text = useText();
  const formats = useFormats();
  const announce = useAnnounce();
  const reply = useTurn(sessionId, ({ live }) => ended(live, threadId));
  const said = useRef(reply?.id);
  useEffect(() => {
    if (!reply || reply.id === said.current) return;
    said.current = reply.id;
    announce(sentencesOf(reply, { text, formats }));
  }, [reply, announce, text, formats]);
}

const ended = (live: readonly Message[], threadId: ThreadId) =>
  live.findLast(
    (message) =>
      message.role === 'assistant' &&
      message.threadId === threadId &&
      message.state.type !== 'streaming',
  );

function* sentencesOf(reply: Message, voice: Voice): Generator<string, void> {
  const { text, formats } = voice;
  let first = true;
  for (const words of spoken(plainText(reply), voice)) {
    yield first ? text('kit.labelled', { label: text('transcript.assistant'), words }) : words;
    first = false;
  }
  const names = reply.parts.flatMap((part) => (part.type === 'tool' ? [part.call.name] : []));
  if (names.length > 0) yield text('tools.called', { names: formats.list([...new Set(names)]) });
}
