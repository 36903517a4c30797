/**
 * The banner above an archived thread: the thread is read-only until the user resumes it.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ThreadId } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import './ReadOnlyThreadBanner.css';

type ReadOnlyThreadBannerProps = { threadId: ThreadId; onCurrent: () => void };

export function ReadOnlyThreadBanner({ threadId, onCurrent }: ReadOnlyThreadBannerProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  return (
    <Banner
      kind="info"
      actions={
        <>
          <Button
            onClick={() => {
              reportError(commands.resumeThread(threadId).then(onCurrent));
            }}
          >
            {text('threads.resume')}
          </Button>
          <Button onClick={onCurrent}>{text('threads.toCurrent')}</Button>
        </>
      }
    >
      {text('threads.ended')}
    </Banner>
  );
}
