/**
 * Announces replies to screen readers: once, complete, with how they ended; of tools only the names.
 * Notices and compactions are announced too. The log is silent while it streams.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type {
  CompactionStatus,
  Message,
  ReplySpeech,
  SessionId,
  ThreadId,
} from '../../ipc/bindings';
import { useAnnounce } from '../../kit/notifications/LiveRegion';
import { toSpeech, type SpeechContext } from '../../markdown/parse/toSpeech';
import { useSettings } from '../../state/queries/queries';
import { parseStoredError, errorText } from '../../state/text/errorText';
import { noticeText } from '../../state/text/noticeText';
import { truncationText } from '../../state/text/truncationText';
import type { TurnState } from '../../state/turn/turnReducer';
import { useTurn } from '../../state/turn/turnStore';
import { messageText } from '../state/messageText';
import { isEmptyReply } from './ResumePrompt';

/** `turnAtOpening`: as for `useAnnounceSending`. */
export function useAnnounceReplies(
  sessionId: SessionId,
  threadId: ThreadId,
  turnAtOpening: TurnState,
) {
  const text = useText();
  const formats = useFormats();
  const announce = useAnnounce();
  const reply = useTurn(sessionId, ({ live }) => lastEndedReply(live, threadId));
  const extent = useSettings().data?.settings.appearance.replySpeech ?? 'whole';
  const said = useRef(lastEndedReply(turnAtOpening.live, threadId)?.id);
  useEffect(() => {
    if (!reply || reply.id === said.current) return;
    said.current = reply.id;
    announce(replySentences(reply, extent, { text, formats }));
  }, [reply, extent, announce, text, formats]);

  // A step without text is followed by others, except the last one.
  const wordless = useTurn(sessionId, (turn) =>
    turn.running ? null : emptyReplyIn(turn.live.at(-1), threadId),
  );
  const missed = useRef(emptyReplyIn(turnAtOpening.live.at(-1), threadId));
  useEffect(() => {
    if (wordless === null || wordless === missed.current) return;
    missed.current = wordless;
    announce(text('transcript.wordless'));
  }, [wordless, announce, text]);
}

const lastEndedReply = (live: readonly Message[], threadId: ThreadId) =>
  live.findLast(
    (message) =>
      message.role === 'assistant' &&
      message.threadId === threadId &&
      message.state.type !== 'streaming',
  );

const emptyReplyIn = (message: Message | undefined, threadId: ThreadId) =>
  message?.threadId === threadId && message.state.type === 'complete' && isEmptyReply(message)
    ? message.id
    : null;

/**
 * Announces that a message was sent: the transcript shows it, the focus stays in the composer.
 * `turnAtOpening`: the turn when the composer appeared. The transcript is loaded later, and the user may
 * have sent a message before.
 */
export function useAnnounceSending(sessionId: SessionId, turnAtOpening: TurnState) {
  const text = useText();
  const announce = useAnnounce();
  const running = useTurn(sessionId, (turn) => turn.running);
  const before = useRef(turnAtOpening.running);
  useEffect(() => {
    if (running && !before.current) announce(text('transcript.sent'));
    before.current = running;
  }, [running, announce, text]);
}

function* replySentences(
  reply: Message,
  extent: ReplySpeech,
  voice: SpeechContext,
): Generator<string, void> {
  const { text, formats } = voice;
  const label = text('transcript.assistant');
  let first = true;
  if (extent === 'ending') yield text('transcript.replyFinished');
  else
    for (const words of toSpeech(messageText(reply), voice)) {
      yield first ? text('kit.labelled', { label, words }) : words;
      if (extent === 'beginning') break;
      first = false;
    }
  const names = reply.parts.flatMap((part) => (part.type === 'tool' ? [part.call.name] : []));
  if (names.length > 0) yield text('tools.called', { names: formats.list([...new Set(names)]) });
  const ending = endingText(reply, voice);
  if (ending !== null) yield ending;
}

/** How the reply ended, if not normally. */
function endingText(reply: Message, voice: SpeechContext): string | null {
  const { text } = voice;
  switch (reply.state.type) {
    case 'streaming':
    case 'complete':
      return null;
    case 'ended':
      return truncationText(reply.state.at, reply.parts.length === 0, voice);
    case 'interrupted':
      return text(
        reply.parts.length === 0 ? 'transcript.interruptedEmpty' : 'transcript.interrupted',
      );
    case 'failed':
      return errorText(text, parseStoredError(reply.state.error));
  }
}

/** Notices in any thread of the session: a new one may have begun with it. */
export function useAnnounceNotices(sessionId: SessionId) {
  const text = useText();
  const announce = useAnnounce();
  const message = useTurn(sessionId, ({ live }) =>
    live.findLast(({ kind }) => kind.type === 'notice'),
  );
  const said = useRef(message?.id);
  useEffect(() => {
    if (message?.kind.type !== 'notice' || message.id === said.current) return;
    said.current = message.id;
    announce(noticeText(text, message.kind.notice));
  }, [message, announce, text]);
}

/** Announces that a compaction is applied, and its effect. */
export function useAnnounceCompaction(sessionId: SessionId, status: CompactionStatus | undefined) {
  const text = useText();
  const formats = useFormats();
  const announce = useAnnounce();
  const { commands } = useBackend();
  const done = status && (status.type === 'done' ? status.pointId : null);
  /** undefined: not read yet. Earlier compactions are not announced. */
  const known = useRef(done);
  const say = useEffectEvent(async (pointId: number) => {
    const { points } = await commands.compactions(sessionId);
    const point = points.find((view) => view.point.id === pointId)?.point;
    if (!point) return;
    announce(
      text(point.model === null ? 'compaction.compactedLocally' : 'compaction.compacted', {
        before: formats.exact(point.before),
        after: formats.exact(point.after),
      }),
    );
  });
  useEffect(() => {
    const isNews =
      known.current !== undefined && typeof done === 'number' && done !== known.current;
    known.current = done;
    // An error is ignored: the transcript shows the compaction.
    if (isNews) say(done).catch(() => undefined);
  }, [done]);
}
