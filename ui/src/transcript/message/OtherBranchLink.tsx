/**
 * Under the message that the conversation goes on from, where it once went on otherwise: that this is
 * kept, and the way back to it.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { MessageId, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useTurn } from '../../state/turn/turnStore';

export function OtherBranchLink({
  message,
  sessionId,
}: {
  message: MessageId;
  sessionId: SessionId;
}) {
  const text = useText();
  const attempt = useReportError(useToast());
  const { commands } = useBackend();
  // What is said now begins the other version.
  const running = useTurn(sessionId, (turn) => turn.running);
  if (running) return null;
  return (
    <p className="Message-ending">
      {text('transcript.later')}
      <Button
        kind="quiet"
        onClick={() => {
          attempt(commands.switchBranch(message));
        }}
      >
        {text('transcript.showLater')}
      </Button>
    </p>
  );
}
