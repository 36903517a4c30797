/**
 * The conversation between the header and the composer: the transcript of a thread and the bars around it.
 * It is loaded after the composer, which takes keys meanwhile.
 */
import { useCallback, useDeferredValue, useState, type RefObject } from 'react';
import { ContextCard } from '../../context/ContextCard';
import type { Breakdown, SessionId, SessionView } from '../../ipc/bindings';
import { ReadOnlyThreadBanner } from '../../sidebar/session/ReadOnlyThreadBanner';
import { CompactionBar } from '../../transcript/compaction/CompactionBar';
import { FindBar } from '../../transcript/search/FindBar';
import { ViewerContext, type ViewerContent } from '../../transcript/state/viewerContext';
import { framePacer } from '../../state/turn/framePacer';
import type { TurnState } from '../../state/turn/turnReducer';
import {
  useAnnounceNotices,
  useAnnounceReplies,
  useAnnounceSending,
} from '../../transcript/status/useAnnounceTranscript';
import { PendingApprovalBar } from '../../transcript/tools/PendingApprovalBar';
import { Transcript, type TranscriptHandle } from '../../transcript/Transcript';
import type { AppNavigation } from '../navigation/appNavigation';
import type { ReadingPositions } from '../navigation/useOpenSession';
import type { ConversationOverlay } from './ConversationOverlays';
import type { FindBarState } from './useFindBar';
import type { ThreadNavigation } from './useThreadNavigation';
import { Welcome } from './Welcome';

type ConversationBodyProps = {
  view: SessionView;
  /** The turn when the composer appeared. */
  turnAtOpening: TurnState;
  thread: ThreadNavigation;
  /** The session is written in a window of its own, which is not this one. */
  isElsewhere: boolean;
  find: FindBarState;
  transcript: RefObject<TranscriptHandle | null>;
  readingPositions: ReadingPositions;
  navigation: AppNavigation;
  onOverlay: (overlay: ConversationOverlay) => void;
};

export function ConversationBody(props: ConversationBodyProps) {
  const { view, turnAtOpening, thread, isElsewhere, find, transcript } = props;
  const { readingPositions, navigation, onOverlay } = props;
  const { id: sessionId, currentThread } = view.session;
  const { threadId, readOnly, toThread, toEnd, scrollTarget } = thread;
  useAnnounceSending(sessionId, turnAtOpening);
  useAnnounceReplies(sessionId, threadId, turnAtOpening);
  useAnnounceNotices(sessionId);
  const ownSession = readOnly || isElsewhere ? null : sessionId;
  const renderContextCard = useContextCard(ownSession);
  const openEstimate = () => {
    onOverlay('estimate');
  };
  // A key that is typed while a session opens is shown before the messages are rendered.
  const [isTyping] = useState(() => framePacer.isTyping());
  const isRendered = useDeferredValue(true, !isTyping);
  return (
    <>
      {find.isOpen && (
        <FindBar
          key={`find-${threadId}`}
          threadId={threadId}
          onJump={thread.toMessage}
          {...find.bar}
        />
      )}
      <CompactionBar {...{ sessionId, readOnly }} onEstimate={openEstimate} />
      {readOnly && (
        <ReadOnlyThreadBanner
          threadId={threadId}
          onCurrent={() => {
            toThread(currentThread);
          }}
        />
      )}
      <ViewerContext value={useViewerOpener(onOverlay)}>
        {isRendered ? (
          <Transcript
            key={threadId}
            ref={transcript}
            sessionId={sessionId}
            threadId={threadId}
            readOnly={readOnly}
            isElsewhere={isElsewhere}
            scrollTarget={scrollTarget}
            highlighted={find.highlighted}
            onMatchPosition={find.setMatchPosition}
            onReadingPosition={(position) => {
              readingPositions.recordPosition(threadId, position);
            }}
            onCompare={({ point }) => {
              if (point) onOverlay({ point: point.point.id });
            }}
            onEstimate={openEstimate}
            onProvider={navigation.toProvider}
            renderContextCard={renderContextCard}
            onEnd={toEnd}
            whenEmpty={<Welcome sessionId={sessionId} navigation={navigation} />}
          />
        ) : (
          <div className="Transcript" />
        )}
      </ViewerContext>
      <PendingApprovalBar sessionId={sessionId} onShow={thread.toCurrentMessage} />
    </>
  );
}

/** Renders the cards of `/context`. A stable function, because every row depends on it. */
function useContextCard(sessionId: SessionId | null) {
  return useCallback(
    (breakdown: Breakdown) => <ContextCard {...{ breakdown, sessionId }} />,
    [sessionId],
  );
}

/** Opens a part of a message in a dialog. A stable function, because every row depends on it. */
function useViewerOpener(onOverlay: (overlay: ConversationOverlay) => void) {
  const [open] = useState(() => (opened: ViewerContent) => {
    onOverlay({ opened });
  });
  return open;
}
