/**
 * An open session: its threads, the transcript of one of them, the composer, and the dialogs on top.
 */
import { useRef, useState } from 'react';
import { useOpenAside } from '../../aside/useAskAside';
import { ContextCard } from '../../context/ContextCard';
import { EstimateNumbers } from '../../context/EstimateNumbers';
import { Composer } from '../../composer/Composer';
import { useCommands } from '../../composer/commands/useCommands';
import { ReadOnlyComposer } from '../../composer/ReadOnlyComposer';
import { ModelSwitchDialog } from '../../composer/model/ModelSwitchDialog';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Breakdown, SessionId, SessionView } from '../../ipc/bindings';
import { focusHome } from '../../kit/a11y/restoreFocus';
import { ToastOutlet, useToast } from '../../kit/notifications/Toast';
import { useShortcut } from '../../kit/layers/shortcuts';
import { useReportError } from '../../state/text/useReportError';
import { useSession } from '../../state/queries/queries';
import { useExpireTurnNotices } from '../../state/turn/turnNoticeLifetime';
import { useAttachToTurn } from '../../state/turn/useAttachToTurn';
import { ReadOnlyThreadBanner } from '../../sidebar/session/ReadOnlyThreadBanner';
import { PendingApprovalBar } from '../../transcript/tools/PendingApprovalBar';
import { CompactionBar } from '../../transcript/compaction/CompactionBar';
import { useAnnounceNotices } from '../../transcript/status/useAnnounceTranscript';
import { FindBar } from '../../transcript/search/FindBar';
import { ViewerContext, type ViewerContent } from '../../transcript/state/viewerContext';
import { Transcript, type TranscriptHandle } from '../../transcript/Transcript';
import { ConversationHeader } from './ConversationHeader';
import { ConversationOverlays, type ConversationOverlay } from './ConversationOverlays';
import { useFindBar } from './useFindBar';
import { useThreadNavigation } from './useThreadNavigation';
import { Welcome } from './Welcome';
import { ConversationLoading } from './ConversationLoading';
import { useAnnounceThread } from '../navigation/useAnnounceNavigation';
import type { ReadingPositions } from '../navigation/useOpenSession';
import type { ThreadScrollTarget } from '../navigation/useScrollTarget';
import type { AppNavigation } from '../navigation/appNavigation';

type ConversationProps = {
  sessionId: SessionId;
  /** null: the end of the current thread. */
  scrollTarget: ThreadScrollTarget | null;
  onScrollTarget: (target: ThreadScrollTarget | null) => void;
  readingPositions: ReadingPositions;
  navigation: AppNavigation;
  remindersOpen: boolean;
  onReminders: () => void;
};

const renderContextCard = (breakdown: Breakdown) => <ContextCard breakdown={breakdown} />;

export function Conversation(props: ConversationProps) {
  const { data: view } = useSession(props.sessionId);
  return view ? <OpenConversation {...props} view={view} /> : <ConversationLoading />;
}

function OpenConversation(props: ConversationProps & { view: SessionView }) {
  const { sessionId, view, readingPositions, navigation } = props;
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const [overlay, setOverlay] = useState<ConversationOverlay | null>(null);
  const transcript = useRef<TranscriptHandle>(null);
  const thread = useThreadNavigation({ ...props, transcript });
  const { threadId, readOnly, toThread, toEnd, scrollTarget, setScrollTarget } = thread;
  const find = useFindBar(scrollTarget);

  useAttachToTurn(view);
  useExpireTurnNotices(view);
  useAnnounceNotices(sessionId);
  useAnnounceThread(view, threadId);

  const opener = (next: ConversationOverlay) => () => {
    setOverlay(next);
  };
  const openEstimate = opener('estimate');
  const editLast = () => transcript.current?.editLast() ?? false;
  const newThread = () => {
    setScrollTarget(null);
    return commands.newThread(sessionId);
  };
  const composerCommands = useCommands({
    view,
    onEstimate: openEstimate,
    onNewThread: newThread,
    onInstructions: opener('instructions'),
    onExport: opener('export'),
    onAside: useOpenAside(sessionId),
  });
  useShortcut('Mod+K', text('finding.palette'), opener('palette'));

  return (
    <>
      <ConversationHeader
        {...{ view, threadId }}
        remindersOpen={props.remindersOpen}
        onThread={toThread}
        onNewThread={() => {
          reportError(newThread().then(focusHome));
        }}
        onInstructions={opener('instructions')}
        onReminders={props.onReminders}
      />
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
            toThread(view.session.currentThread);
          }}
        />
      )}
      <ViewerContext value={useViewerOpener(setOverlay)}>
        <Transcript
          key={threadId}
          ref={transcript}
          sessionId={sessionId}
          threadId={threadId}
          readOnly={readOnly}
          scrollTarget={scrollTarget}
          highlighted={find.highlighted}
          onMatchPosition={find.setMatchPosition}
          onReadingPosition={(position) => {
            readingPositions.recordPosition(threadId, position);
          }}
          onCompare={({ point }) => {
            if (point) setOverlay({ point: point.point.id });
          }}
          onEstimate={openEstimate}
          onProvider={navigation.toProvider}
          renderContextCard={renderContextCard}
          onEnd={toEnd}
          whenEmpty={<Welcome sessionId={sessionId} navigation={navigation} />}
        />
      </ViewerContext>
      <PendingApprovalBar sessionId={sessionId} onShow={thread.toCurrentMessage} />
      <ToastOutlet />
      {readOnly ? (
        <ReadOnlyComposer view={view} />
      ) : (
        <Composer
          view={view}
          commands={composerCommands}
          onEstimate={openEstimate}
          numbers={(estimate) => <EstimateNumbers estimate={estimate} strategy={view.strategy} />}
          onSent={toEnd}
          onEditLast={editLast}
          onPage={(by) => transcript.current?.toPage(by)}
        />
      )}
      <ModelSwitchDialog view={view} />
      {overlay !== null && (
        <ConversationOverlays
          {...{ overlay, view, navigation, threadId }}
          commands={composerCommands}
          threadActions={{ shown: threadId, toThread, toEnd, editLast }}
          onClose={() => {
            setOverlay(null);
          }}
        />
      )}
    </>
  );
}

/** Opens a part of a message in a dialog. A stable function, because every row depends on it. */
function useViewerOpener(setOverlay: (overlay: ConversationOverlay) => void) {
  const [open] = useState(() => (opened: ViewerContent) => {
    setOverlay({ opened });
  });
  return open;
}
