/**
 * The thread of a session that is shown, and the message in it to scroll to.
 */
import { useCallback, useEffect, type RefObject } from 'react';
import type { MessageId, SessionId, SessionView, ThreadId } from '../../ipc/bindings';
import { useTrimPages } from '../../state/queries/transcriptQuery';
import type { MessageScrollTarget } from '../../transcript/scroll/scrollToMatch';
import type { TranscriptHandle } from '../../transcript/Transcript';
import type { ReadingPositions } from '../navigation/useOpenSession';
import { useScrollTarget, type ThreadScrollTarget } from '../navigation/useScrollTarget';

type ThreadNavigationOptions = {
  sessionId: SessionId;
  view: SessionView;
  scrollTarget: ThreadScrollTarget | null;
  onScrollTarget: (target: ThreadScrollTarget | null) => void;
  readingPositions: ReadingPositions;
  transcript: RefObject<TranscriptHandle | null>;
};

export type ThreadNavigation = ReturnType<typeof useThreadNavigation>;

export function useThreadNavigation(options: ThreadNavigationOptions) {
  const { sessionId, view, onScrollTarget, readingPositions, transcript } = options;
  const current = view.session.currentThread;
  const target = useScrollTarget(options.scrollTarget, current);
  const threadId = target?.threadId ?? current;
  // Only the current thread takes messages.
  const readOnly = threadId !== current;
  useEffect(() => {
    readingPositions.recordThread(sessionId, threadId, readOnly);
  }, [readingPositions, sessionId, threadId, readOnly]);
  const trimPages = useTrimPages(threadId);
  return {
    threadId,
    readOnly,
    scrollTarget: target?.message ?? null,
    setScrollTarget: onScrollTarget,
    /** Opens a thread where the user stopped reading it. */
    toThread: (thread: ThreadId) => {
      const message = readingPositions.positionInThread(thread);
      onScrollTarget(thread === current && !message ? null : { threadId: thread, message });
    },
    toMessage: useCallback(
      (message: MessageScrollTarget) => {
        onScrollTarget({ threadId, message });
      },
      [onScrollTarget, threadId],
    ),
    toCurrentMessage: (messageId: MessageId) => {
      onScrollTarget({ threadId: current, message: { messageId } });
    },
    toEnd: () => {
      trimPages();
      onScrollTarget(readOnly ? { threadId, message: null } : null);
      transcript.current?.toEnd();
    },
  };
}
