/**
 * While the conversation is being compacted: said above it, with the summary as it arrives.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { Disclosure } from '../kit/Disclosure';
import { faultWords } from '../state/faults';
import { useCompaction } from '../state/reading';
import './Transcript.css';

export function CompactionBar({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const { commands } = useBackend();
  const { data: status } = useCompaction(sessionId);
  if (status?.type === 'failed') {
    return <Banner kind="warning">{faultWords(text, status.error)}</Banner>;
  }
  if (status?.type !== 'running') return null;
  const { progress } = status;
  return (
    <div className="CompactionBar" role="status" aria-label={text('transcript.optimising')}>
      <div className="CompactionBar-line">
        <span>{text('transcript.optimising')}</span>
        {progress.pieces > 1 && <span>{`${progress.piece} / ${progress.pieces}`}</span>}
        <Button kind="quiet" onClick={() => void commands.cancelCompaction(sessionId)}>
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
