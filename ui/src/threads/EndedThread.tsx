/**
 * Over a thread that has ended: it is read, until the person goes on in it.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ThreadId } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import './EndedThread.css';

type EndedThreadProps = { threadId: ThreadId; onCurrent: () => void };

export function EndedThread({ threadId, onCurrent }: EndedThreadProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const { commands } = useBackend();
  return (
    <Banner
      kind="info"
      actions={
        <>
          <Button
            onClick={() => {
              attempt(commands.resumeThread(threadId).then(onCurrent));
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
