/**
 * Compacts a thread by hand: a preview first, then the confirmation with a hint of what to keep.
 */
import { useState, type ComponentProps } from 'react';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { CompactionPreview, Error as AppError, SessionId, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Row } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { errorText, toAppError } from '../../state/text/errorText';
import { useReportError } from '../../state/text/useReportError';
import { useModelName } from '../../state/models/useModelName';
import { useCompactionStatus } from '../../state/queries/queries';
import { useCompactionActions } from '../../state/turn/useCompactionActions';
import { CompactionCostNote } from './CompactionCostNote';
import { MessageExcerpts } from './MessageExcerpts';
import './compaction.css';

type CompactButtonProps = { sessionId: SessionId; threadId: ThreadId };

export function CompactButton({ sessionId, threadId }: CompactButtonProps) {
  const text = useText();
  const nameOf = useModelName();
  const formats = useFormats();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const { compact } = useCompactionActions(sessionId);
  const [preview, setPreview] = useState<CompactionPreview | null>(null);
  /** Why there is nothing to compact: an answer to the click, which leaves with the dialog. */
  const [refusal, setRefusal] = useState<AppError | null>(null);
  const [keep, setKeep] = useState('');
  useUnsavedForm(preview !== null && keep.trim() !== '');
  const compacting = useCompactionStatus(sessionId).data?.type === 'running';
  const held = { disabled: compacting, title: compacting ? text('errors.compacting') : undefined };
  if (!preview) {
    const showPreview = async () => {
      setRefusal(null);
      try {
        setPreview(await commands.previewCompaction(sessionId));
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
  const covers = text('compaction.covers', { count: preview.covers.length });
  const keeps = text('compaction.keeps', { count: preview.keeps.length });
  return (
    <div className="CompactPreview" role="group" aria-label={text('context.compact')}>
      <p>
        {text('compaction.before', {
          before: formats.exact(preview.before),
          after: formats.exact(preview.after),
          summary: formats.exact(preview.summary),
          facts: formats.exact(preview.facts),
        })}
      </p>
      <PreviewedMessages label={covers} threadId={threadId} places={preview.covers} />
      {preview.keeps.length > 0 && (
        <PreviewedMessages label={keeps} threadId={threadId} places={preview.keeps} />
      )}
      {preview.model && <p>{text('compaction.writtenBy', { model: nameOf(preview.model) })}</p>}
      <CompactionCostNote cost={preview.cost} paidAfter={preview.paidAfter} />
      <TextField label={text('context.keep')} value={keep} onChange={setKeep} />
      <Row>
        <Button
          onClick={() => {
            setPreview(null);
          }}
        >
          {text('kit.cancel')}
        </Button>
        <Button
          {...held}
          kind="primary"
          onClick={() => {
            setPreview(null);
            reportError(compact(keep === '' ? null : keep));
          }}
        >
          {text('context.compactNow')}
        </Button>
      </Row>
    </div>
  );
}

type PreviewedMessagesProps = Pick<
  ComponentProps<typeof MessageExcerpts>,
  'label' | 'threadId' | 'places'
>;

function PreviewedMessages({ label, threadId, places }: PreviewedMessagesProps) {
  return (
    <Disclosure label={label}>
      <MessageExcerpts {...{ label, threadId, places }} words="beginning" />
    </Disclosure>
  );
}
