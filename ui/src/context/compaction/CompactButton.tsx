/**
 * Compacts a thread by hand: a preview first, then the confirmation with a hint of what to keep.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { CompactionPreview, Error as AppError, SessionId, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { errorText, toAppError } from '../../state/text/errorText';
import { useReportError } from '../../state/text/useReportError';
import { useCompactionStatus } from '../../state/queries/queries';
import { CompactionForm } from './CompactionForm';
import './compaction.css';

type CompactButtonProps = { sessionId: SessionId; threadId: ThreadId };

export function CompactButton({ sessionId, threadId }: CompactButtonProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const [preview, setPreview] = useState<CompactionPreview | null>(null);
  /** Why there is nothing to compact: an answer to the click, which leaves with the dialog. */
  const [refusal, setRefusal] = useState<AppError | null>(null);
  const compacting = useCompactionStatus(sessionId).data?.type === 'running';
  const held = { disabled: compacting, title: compacting ? text('errors.compacting') : undefined };
  if (!preview) {
    const showPreview = async () => {
      setRefusal(null);
      try {
        setPreview(await commands.previewCompaction(sessionId, null));
      } catch (thrown) {
        const fault = toAppError(thrown);
        if (fault.kind !== 'notCompacted') throw thrown;
        setRefusal(fault);
      }
    };
    return (
      <div>
        <Button
          {...held}
          icon="compress"
          onClick={() => {
            reportError(showPreview());
          }}
        >
          {text('context.compact')}
        </Button>
        <p role="status" className="Compactions-quiet">
          {refusal && <small>{errorText(text, refusal)}</small>}
        </p>
      </div>
    );
  }
  return (
    <CompactionForm
      {...{ sessionId, threadId, preview }}
      range={null}
      label={text('context.compact')}
      onClose={() => {
        setPreview(null);
      }}
    />
  );
}
