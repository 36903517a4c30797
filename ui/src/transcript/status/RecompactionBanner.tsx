/**
 * Says that the compaction that was undone happens again with the next message, where its summary was.
 */
import { useText } from '../../i18n';
import type { SessionId, ThreadId } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useRecompaction } from '../../state/turn/useRecompaction';
import { useUndoCompaction } from '../../state/turn/useUndoCompaction';
import { useTurn } from '../../state/turn/turnStore';

type RecompactionBannerProps = { sessionId: SessionId; threadId: ThreadId };

export function RecompactionBanner({ sessionId, threadId }: RecompactionBannerProps) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { redo } = useUndoCompaction(toast);
  const isReplying = useTurn(sessionId, ({ running }) => running);
  const recompaction = useRecompaction(sessionId);
  if (!recompaction || isReplying) return null;
  const actions = (
    <>
      <Button
        kind="quiet"
        icon="redo"
        onClick={() => {
          reportError(redo(sessionId, threadId));
        }}
      >
        {text('transcript.redo')}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          reportError(recompaction.switchOff());
        }}
      >
        {text('compaction.switchOff')}
      </Button>
    </>
  );
  return (
    <Banner kind="info" actions={actions}>
      {text('compaction.undoneAgain')}
    </Banner>
  );
}
