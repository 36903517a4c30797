/**
 * An open session: its threads, one of them with its transcript, the composer, and the dialogs on top.
 */
import { Suspense, useEffect, useRef, useState } from 'react';
import { useOpenAside } from '../../aside/useAskAside';
import { EstimateNumbers } from '../../context/EstimateNumbers';
import { Composer } from '../../composer/Composer';
import { useCommands } from '../../composer/commands/useCommands';
import { ReadOnlyComposer } from '../../composer/ReadOnlyComposer';
import { ModelSwitchDialog } from '../../composer/model/ModelSwitchDialog';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId, SessionView } from '../../ipc/bindings';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { focusHome } from '../../kit/a11y/restoreFocus';
import { ToastOutlet, useToast } from '../../kit/notifications/Toast';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import { useReportError } from '../../state/text/useReportError';
import { useSession } from '../../state/queries/queries';
import { useExpireTurnNotices } from '../../state/turn/turnNoticeLifetime';
import type { TurnState } from '../../state/turn/turnReducer';
import { isReplying, turnStore } from '../../state/turn/turnStore';
import { useAttachToTurn } from '../../state/turn/useAttachToTurn';
import type { TranscriptHandle } from '../../transcript/Transcript';
import { ConversationHeader } from './ConversationHeader';
import { ConversationOverlays, type ConversationOverlay } from './ConversationOverlays';
import { LazyConversationBody } from '../dialogs/lazyPanels';
import { OwnWindowBanner } from './OwnWindowBanner';
import { useFindBar } from './useFindBar';
import { useThreadNavigation } from './useThreadNavigation';
import { ConversationLoading } from './ConversationLoading';
import { useAnnounceThread } from '../navigation/useAnnounceNavigation';
import type { ReadingPositions } from '../navigation/useOpenSession';
import type { ThreadScrollTarget } from '../navigation/useScrollTarget';
import type { AppNavigation } from '../navigation/appNavigation';

type ConversationProps = {
  sessionId: SessionId;
  /** The session is written in a window of its own, which is not this one. */
  isElsewhere: boolean;
  /** null: the end of the current thread. */
  scrollTarget: ThreadScrollTarget | null;
  onScrollTarget: (target: ThreadScrollTarget | null) => void;
  readingPositions: ReadingPositions;
  navigation: AppNavigation;
  remindersOpen: boolean;
  onReminders: () => void;
};

export function Conversation(props: ConversationProps) {
  const { data: view } = useSession(props.sessionId);
  return view ? <OpenConversation {...props} view={view} /> : <ConversationLoading />;
}

function OpenConversation(props: ConversationProps & { view: SessionView }) {
  const { sessionId, isElsewhere, view, readingPositions, navigation } = props;
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const [turnAtOpening] = useState(() => turnAtOpeningOf(view));
  const [overlay, setOverlay] = useState<ConversationOverlay | null>(null);
  const transcript = useRef<TranscriptHandle>(null);
  const thread = useThreadNavigation({ ...props, transcript });
  const { threadId, readOnly, toThread, toEnd, setScrollTarget } = thread;
  // Here, so that its shortcut works while the body is loading.
  const find = useFindBar(thread.scrollTarget);

  // For `cargo xtask bench window --beside-empty`.
  useEffect(() => {
    performance.mark('composer-ready');
  }, []);
  useAttachToTurn(view);
  useExpireTurnNotices(view);
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
      <ErrorBoundary holds={sessionId}>
        <Suspense fallback={<ConversationLoading />}>
          <LazyConversationBody
            {...{ view, turnAtOpening, thread, isElsewhere, find, transcript }}
            {...{ readingPositions, navigation }}
            onOverlay={setOverlay}
          />
        </Suspense>
      </ErrorBoundary>
      <ToastOutlet />
      {isElsewhere && !readOnly && <OwnWindowBanner sessionId={sessionId} />}
      {readOnly || isElsewhere ? (
        <ReadOnlyComposer view={view} />
      ) : (
        <Composer
          view={view}
          commands={composerCommands}
          onEstimate={openEstimate}
          numbers={(estimate) => (
            <EstimateNumbers {...{ sessionId, estimate }} strategy={view.strategy} />
          )}
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

/** The turn before the window follows it. A reply that runs already was not begun by a new message. */
function turnAtOpeningOf({ session, activity }: SessionView): TurnState {
  const turn = turnStore.get(session.id);
  return isReplying(activity) ? { ...turn, running: true } : turn;
}
