/**
 * A summary in the transcript: a divider that expands to its text and actions.
 */
import { use } from 'react';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import { Button } from '../../kit/controls/Button';
import { IconButton } from '../../kit/controls/IconButton';
import { useToast } from '../../kit/notifications/Toast';
import { Markdown } from '../../markdown/render/Markdown';
import { summaryAuthor } from '../../state/text/summaryAuthor';
import { useReportError } from '../../state/text/useReportError';
import { useRenewSummary } from '../../state/turn/useRenewSummary';
import { useUndoCompaction } from '../../state/turn/useUndoCompaction';
import { EditForm } from '../edit/EditForm';
import { PersistentDisclosure } from '../state/PersistentDisclosure';
import { DisclosureStateContext, summaryDisclosureKey } from '../state/disclosureState';
import type { TranscriptRowProps } from '../state/transcriptRowProps';
import { messageText } from '../state/messageText';

export function SummaryView(props: TranscriptRowProps) {
  const { item, sessionId, readOnly, editing, isRestored, onEditing, onCompare } = props;
  const text = useText();
  const formats = useFormats();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { undo } = useUndoCompaction(toast);
  const { commands } = useBackend();
  const folds = use(DisclosureStateContext);
  const { message, point } = item;
  const renewal = useRenewSummary(sessionId, point?.point.id ?? null, toast);
  const line = summaryDisclosureKey(message);
  const label = point
    ? text(point.point.afterMessageId ? 'transcript.rangeLine' : 'transcript.summaryLine', {
        count: point.coveredMessages,
        before: formats.exact(point.point.before),
        after: formats.exact(point.point.after),
        trigger: text(`transcript.${point.point.trigger}`),
        model: summaryAuthor(text, point),
      })
    : text('transcript.summary');
  return (
    <article className="Summary" aria-label={text('transcript.summary')}>
      {editing ? (
        <>
          <p>{label}</p>
          <EditForm
            edited={{ message, sessionId, readOnly, isRestored: isRestored }}
            label={text('transcript.editingSummary')}
            save={text('transcript.save')}
            onSave={async (words) => {
              await commands.editSummary(message.id, words);
              return true;
            }}
            onClose={() => {
              // After an edit the new text scrolls into view.
              folds.set(line, true);
              onEditing((now) => (now === message.id ? null : now));
            }}
          />
        </>
      ) : (
        <PersistentDisclosure line={line} label={label}>
          <Markdown text={messageText(message)} />
        </PersistentDisclosure>
      )}
      {point?.encryptedBy && (
        <p>{text('compaction.encryptedBeside', { model: point.encryptedBy.model })}</p>
      )}
      {point?.stale === true && !readOnly && (
        <p className="Summary-stale">
          <strong>{text('compaction.stale')}</strong> {text('compaction.staleHint')}
        </p>
      )}
      {!editing && (
        <div className="Summary-actions">
          {!readOnly && (
            <IconButton
              label={text('transcript.edit')}
              icon="edit"
              data-opens
              onClick={() => {
                onEditing(message.id);
              }}
            />
          )}
          <IconButton
            label={text('transcript.compare')}
            icon="compare"
            onClick={() => {
              onCompare(item);
            }}
          />
          {!readOnly && point?.applied === true && (
            <IconButton
              label={text('transcript.undo')}
              icon="undo"
              onClick={() => {
                reportError(undo(sessionId, message.threadId, point.point.id));
              }}
            />
          )}
          {!readOnly && point?.applied === true && point.stale && (
            <Button icon="refresh" {...renewal}>
              {text('compaction.renew')}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
