/**
 * Below the last message of a branch whose thread once continued differently: the link that shows the other
 * branch.
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
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  // The next message begins a new version.
  const running = useTurn(sessionId, (turn) => turn.running);
  if (running) return null;
  return (
    <p className="Message-ending">
      {text('transcript.later')}
      <Button
        kind="quiet"
        onClick={() => {
          reportError(commands.switchBranch(message));
        }}
      >
        {text('transcript.showLater')}
      </Button>
    </p>
  );
}
