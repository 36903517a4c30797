/**
 * The preview of a compaction, with a field for what to keep in particular, and its start.
 */
import { useState, type ComponentProps } from 'react';
import { useFormats, useText } from '../../i18n';
import type { ChosenRange, CompactionPreview, SessionId, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Row } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { useReportError } from '../../state/text/useReportError';
import { useModelName } from '../../state/models/useModelName';
import { useCompactionStatus } from '../../state/queries/queries';
import { useCompactionActions } from '../../state/turn/useCompactionActions';
import { CompactionCostNote } from './CompactionCostNote';
import { MessageExcerpts } from './MessageExcerpts';
import './compaction.css';

type CompactionFormProps = {
  sessionId: SessionId;
  threadId: ThreadId;
  preview: CompactionPreview;
  /** The messages that the user chose; null: the older ones. */
  range: ChosenRange | null;
  /** The name of the form for a screen reader. */
  label: string;
  onClose: () => void;
};

const writtenBy = {
  skein: 'compaction.writtenBy',
  provider: 'compaction.writtenByProvider',
} as const;

export function CompactionForm(props: CompactionFormProps) {
  const { sessionId, threadId, preview, range, label, onClose } = props;
  const text = useText();
  const nameOf = useModelName();
  const formats = useFormats();
  const reportError = useReportError(useToast());
  const { compact } = useCompactionActions(sessionId);
  const [keep, setKeep] = useState('');
  useUnsavedForm(keep.trim() !== '');
  const compacting = useCompactionStatus(sessionId).data?.type === 'running';
  const covers = text('compaction.covers', { count: preview.covers.length });
  const keeps = text('compaction.keeps', { count: preview.keeps.length });
  return (
    <div className="CompactPreview" role="group" aria-label={label}>
      <p>
        {text(preview.encrypted ? 'compaction.beforeEncrypted' : 'compaction.before', {
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
      {preview.model && (
        <p>
          {text(preview.encrypted ? 'compaction.writtenEncrypted' : writtenBy[preview.writer], {
            model: nameOf(preview.model),
          })}
        </p>
      )}
      <CompactionCostNote cost={preview.cost} paidAfter={preview.paidAfter} />
      <TextField label={text('context.keep')} value={keep} onChange={setKeep} />
      <Row>
        <Button onClick={onClose}>{text('kit.cancel')}</Button>
        <Button
          disabled={compacting}
          title={compacting ? text('errors.compacting') : undefined}
          kind="primary"
          onClick={() => {
            onClose();
            reportError(compact(range, keep === '' ? null : keep));
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
