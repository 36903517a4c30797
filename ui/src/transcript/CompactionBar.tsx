/**
 * While the conversation is being compacted: said above it, with the summary as it arrives.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Error as Fault, SessionId } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { Disclosure } from '../kit/Disclosure';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { faultWords } from '../state/faults';
import { useCompaction } from '../state/reading';
import { useDismissedCompaction } from '../state/standing';
import './Transcript.css';

export function CompactionBar({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const { commands } = useBackend();
  const { data: status } = useCompaction(sessionId);
  const dismiss = useDismissedCompaction(sessionId);
  if (status?.type === 'failed' && !isCancelled(status.error)) {
    const putAway = (
      <Button kind="quiet" onClick={dismiss}>
        {text('kit.dismiss')}
      </Button>
    );
    return (
      <Banner kind="warning" actions={putAway}>
        {faultWords(text, status.error)}
      </Banner>
    );
  }
  if (status?.type !== 'running') return null;
  const { progress } = status;
  return (
    <div className="CompactionBar" role="status" aria-label={text('transcript.optimising')}>
      <div className="CompactionBar-line">
        <span>{text('transcript.optimising')}</span>
        {progress.pieces > 1 && <span>{`${progress.piece} / ${progress.pieces}`}</span>}
        <Button
          kind="quiet"
          onClick={() => {
            attempt(commands.cancelCompaction(sessionId));
          }}
        >
          {text('kit.cancel')}
        </Button>
      </div>
      {progress.text !== '' && (
        <Disclosure label={text('transcript.summaryArriving')}>
          <p className="Message-words">{progress.text}</p>
        </Disclosure>
      )}
    </div>
  );
}

/** The person's own doing stands in nobody's way. */
const isCancelled = (fault: Fault) => fault.kind === 'notCompacted' && fault.reason === 'cancelled';
