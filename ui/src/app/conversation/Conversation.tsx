/**
 * An open session: its threads, the transcript of one, the box, and what opens over them.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { ContextCard } from '../../context/ContextCard';
import { EstimateNumbers } from '../../context/EstimateNumbers';
import { Composer } from '../../composer/Composer';
import { useCommands } from '../../composer/commands/useCommands';
import { ReadOnlyComposer } from '../../composer/ReadOnlyComposer';
import { ModelSwitchDialog } from '../../composer/model/ModelSwitchDialog';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Message, SessionId, SessionView, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { focusHome } from '../../kit/a11y/restoreFocus';
import { ToastOutlet, useToast } from '../../kit/notifications/Toast';
import { useShortcut } from '../../kit/layers/shortcuts';
import { useReportError } from '../../state/text/useReportError';
import { useSession } from '../../state/queries/queries';
import { useExpireTurnNotices } from '../../state/turn/turnNoticeLifetime';
import { useTrimPages } from '../../state/queries/transcriptQuery';
import { useAttachToTurn } from '../../state/turn/useAttachToTurn';
import { ReadOnlyThreadBanner } from '../../sidebar/session/ReadOnlyThreadBanner';
import { InstructionsButton } from '../../sidebar/session/InstructionsButton';
import { ThreadMenu } from '../../sidebar/session/ThreadMenu';
import { PendingApprovalBar } from '../../transcript/tools/PendingApprovalBar';
import { CompactionBar } from '../../transcript/compaction/CompactionBar';
import { useAnnounceNotices } from '../../transcript/status/useAnnounceTranscript';
import { FindBar } from '../../transcript/search/FindBar';
import { ViewerContext, type ViewerContent } from '../../transcript/state/viewerContext';
import type { MessageScrollTarget, MatchPosition } from '../../transcript/scroll/scrollToMatch';
import { Transcript, type TranscriptHandle } from '../../transcript/Transcript';
import { ConversationOverlays, type ConversationOverlay } from './ConversationOverlays';
import { Welcome } from './Welcome';
import { ConversationLoading } from './ConversationLoading';
import { useAnnounceThread } from '../navigation/useAnnounceNavigation';
import type { ReadingPositions } from '../navigation/useOpenSession';
import { useScrollTarget, type ThreadScrollTarget } from '../navigation/useScrollTarget';
import type { AppNavigation } from '../navigation/appNavigation';

type ConversationProps = {
  sessionId: SessionId;
  spot: ThreadScrollTarget | null;
  onSpot: (spot: ThreadScrollTarget | null) => void;
  leftOff: ReadingPositions;
  ways: AppNavigation;
  remindersOpen: boolean;
  onReminders: () => void;
};

const nothing: readonly string[] = [];
const card = (message: Message) => <ContextCard message={message} />;

export function Conversation(props: ConversationProps) {
  const { data: view } = useSession(props.sessionId);
  return view ? <OpenConversation {...props} view={view} /> : <ConversationLoading />;
}

function OpenConversation({
  sessionId,
  spot: asked,
  onSpot,
  leftOff,
  ways,
  remindersOpen,
  onReminders,
  view,
}: ConversationProps & { view: SessionView }) {
  const text = useText();
  const { commands } = useBackend();
  const attempt = useReportError(useToast());
  const [over, setOver] = useState<ConversationOverlay | null>(null);
  /** How often the bar was asked for since it was closed; 0: it is. */
  const [finding, setFinding] = useState(0);
  /** What the bar asks for. */
  const [sought, setSought] = useState(nothing);
  const [places, setPlaces] = useState<MatchPosition | null>(null);
  const transcript = useRef<TranscriptHandle>(null);

  useAttachToTurn(view);
  useExpireTurnNotices(view);
  useAnnounceNotices(sessionId);

  const current = view.session.currentThread;
  const spot = useScrollTarget(asked, current);
  const threadId = spot?.threadId ?? current;
  const readOnly = threadId !== current;
  useAnnounceThread(view, threadId);
  const goal = spot?.goal ?? null;
  // What a search led to stays marked until something else is done; what the bar did, while it is open.
  const bySearch = goal?.sought?.at === null ? goal.sought.words : nothing;
  const jump = useCallback(
    (found: MessageScrollTarget) => {
      onSpot({ threadId, goal: found });
    },
    [onSpot, threadId],
  );
  useEffect(() => {
    leftOff.recordThread(sessionId, threadId, readOnly);
  }, [leftOff, sessionId, threadId, readOnly]);
  const toThread = (thread: ThreadId) => {
    const at = leftOff.positionInThread(thread);
    onSpot(thread === current && !at ? null : { threadId: thread, goal: at });
  };
  const letGo = useTrimPages(threadId);
  const toEnd = () => {
    letGo();
    onSpot(readOnly ? { threadId, goal: null } : null);
    transcript.current?.toEnd();
  };
  const open = useCallback((opened: ViewerContent) => {
    setOver({ opened });
  }, []);
  const opens = (next: ConversationOverlay) => () => {
    setOver(next);
  };
  const estimate = opens('estimate');
  const editLast = () => transcript.current?.editLast() ?? false;
  const acts = { shown: threadId, toThread, toEnd, editLast };
  const newThread = () => {
    onSpot(null);
    return commands.newThread(sessionId);
  };
  const offered = useCommands({
    view,
    onEstimate: estimate,
    onNewThread: newThread,
    onInstructions: opens('instructions'),
    onExport: opens('export'),
  });
  useShortcut('Mod+K', text('finding.palette'), opens('palette'));
  useShortcut('Mod+F', text('finding.find'), () => {
    setFinding((times) => times + 1);
  });

  return (
    <>
      <ThreadMenu
        view={view}
        shown={threadId}
        onShow={toThread}
        onNew={() => {
          attempt(newThread().then(focusHome));
        }}
      >
        <InstructionsButton view={view} onOpen={opens('instructions')} />
        <Button
          kind="quiet"
          icon="note"
          brief={text('reminders.reminders')}
          aria-expanded={remindersOpen}
          onClick={onReminders}
        />
      </ThreadMenu>
      {finding > 0 && (
        <FindBar
          key={`find-${threadId}`}
          threadId={threadId}
          asked={finding}
          places={places}
          onSought={setSought}
          onJump={jump}
          onClose={() => {
            setFinding(0);
            setSought(nothing);
          }}
        />
      )}
      <CompactionBar {...{ sessionId, readOnly }} onEstimate={estimate} />
      {readOnly && (
        <ReadOnlyThreadBanner
          threadId={threadId}
          onCurrent={() => {
            toThread(current);
          }}
        />
      )}
      <ViewerContext value={open}>
        <Transcript
          key={threadId}
          ref={transcript}
          sessionId={sessionId}
          threadId={threadId}
          readOnly={readOnly}
          spot={goal}
          sought={finding > 0 ? sought : bySearch}
          onPlaces={setPlaces}
          onReading={(at) => {
            leftOff.recordPosition(threadId, at);
          }}
          onCompare={({ point }) => {
            if (point) setOver({ point: point.point.id });
          }}
          onEstimate={estimate}
          onProvider={ways.toProvider}
          card={card}
          onEnd={toEnd}
          whenEmpty={<Welcome sessionId={sessionId} ways={ways} />}
        />
      </ViewerContext>
      <PendingApprovalBar
        sessionId={sessionId}
        onShow={(messageId) => {
          onSpot({ threadId: current, goal: { messageId } });
        }}
      />
      <ToastOutlet />
      {readOnly ? (
        <ReadOnlyComposer view={view} />
      ) : (
        <Composer
          view={view}
          commands={offered}
          onEstimate={estimate}
          numbers={(written) => <EstimateNumbers estimate={written} strategy={view.strategy} />}
          onSent={toEnd}
          onEditLast={editLast}
          onPage={(by) => transcript.current?.toPage(by)}
        />
      )}
      <ModelSwitchDialog view={view} />
      {over !== null && (
        <ConversationOverlays
          {...{ over, view, ways, acts, offered, threadId }}
          onClose={() => {
            setOver(null);
          }}
        />
      )}
    </>
  );
}
