/** Says that a session is written in a window of its own, and leads there. */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Banner } from '../../kit/display/Banner';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';

export function OwnWindowBanner({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  return (
    <Banner
      kind="info"
      actions={
        <Button
          onClick={() => {
            reportError(commands.openSessionWindow(sessionId));
          }}
        >
          {text('threads.toOwnWindow')}
        </Button>
      }
    >
      {text('threads.inOwnWindow')}
    </Banner>
  );
}
