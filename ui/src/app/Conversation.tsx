/**
 * An open session: its threads, the transcript of one, and the box.
 */
import { useEffect, useState } from 'react';
import { Card } from '../context/Card';
import { CompareDialog } from '../context/CompareDialog';
import { ContextDialog } from '../context/ContextDialog';
import { useCommands } from '../composer/commands';
import { Composer } from '../composer/Composer';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Message, PointId, SessionId, SessionView } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { useActions } from '../state/actions';
import { useSession } from '../state/reading';
import { ThreadMenu } from '../threads/ThreadMenu';
import { CompactionBar } from '../transcript/CompactionBar';
import { Transcript } from '../transcript/Transcript';
import { Welcome } from './Welcome';
import type { Spot } from './Window';

type ConversationProps = {
  sessionId: SessionId;
  spot: Spot | null;
  onSpot: (spot: Spot | null) => void;
  onProvider: () => void;
};

const card = (message: Message) => <Card message={message} />;

export function Conversation(props: ConversationProps) {
  const { data: view } = useSession(props.sessionId);
  return view ? <OpenConversation {...props} view={view} /> : null;
}

function OpenConversation({
  sessionId,
  spot,
  onSpot,
  onProvider,
  view,
}: ConversationProps & { view: SessionView }) {
  const text = useText();
  const { commands } = useBackend();
  const { watch } = useActions(sessionId);
  const [dialog, setDialog] = useState<'estimate' | { point: PointId } | null>(null);

  useEffect(() => {
    void watch();
  }, [watch]);

  const current = view.session.currentThread;
  const threadId = spot?.threadId ?? current;
  const readOnly = threadId !== current;
  const close = () => {
    setDialog(null);
  };
  const estimate = () => {
    setDialog('estimate');
  };
  const newThread = () => {
    onSpot(null);
    return commands.newThread(sessionId);
  };
  const offered = useCommands({ view, onEstimate: estimate, onNewThread: newThread });
  return (
    <>
      <ThreadMenu
        view={view}
        shown={threadId}
        onShow={(thread) => {
          onSpot(thread === current ? null : { threadId: thread, messageId: null });
        }}
        onNew={() => void newThread()}
      />
      <CompactionBar sessionId={sessionId} />
      {readOnly && (
        <Banner
          kind="info"
          actions={
            <Button
              kind="quiet"
              onClick={() => {
                onSpot(null);
              }}
            >
              {text('threads.toCurrent')}
            </Button>
          }
        >
          {text('threads.archivedNotice')}
        </Banner>
      )}
      <Transcript
        key={`${threadId}/${spot?.messageId ?? ''}`}
        sessionId={sessionId}
        threadId={threadId}
        readOnly={readOnly}
        around={spot?.messageId ?? null}
        onCompare={({ point }) => {
          if (point) setDialog({ point: point.point.id });
        }}
        onEstimate={estimate}
        card={card}
        whenEmpty={<Welcome onProvider={onProvider} />}
      />
      {!readOnly && <Composer view={view} commands={offered} onEstimate={estimate} />}
      {dialog === 'estimate' && <ContextDialog view={view} onClose={close} />}
      {dialog !== null && dialog !== 'estimate' && (
        <CompareDialog pointId={dialog.point} threadId={threadId} onClose={close} />
      )}
    </>
  );
}
