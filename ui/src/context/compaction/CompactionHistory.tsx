/**
 * The compactions of a thread, newest first, with actions to compare, undo, redo and renew them.
 */
import { useState } from 'react';
import { useFormats, useText } from '../../i18n';
import type { PointId, PointView, SessionId, SessionView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { LazyDialog } from '../../kit/overlays/LazyDialog';
import { Row, Stack } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { summaryAuthor } from '../../state/text/summaryAuthor';
import { useReportError } from '../../state/text/useReportError';
import { required, useCompactions } from '../../state/queries/queries';
import { useRecompaction } from '../../state/turn/useRecompaction';
import { useRenewSummary } from '../../state/turn/useRenewSummary';
import { useUndoCompaction } from '../../state/turn/useUndoCompaction';
import { CompareDialog } from './CompareDialog';
import './compaction.css';

export function CompactionHistory({ view }: { view: SessionView }) {
  const text = useText();
  const formats = useFormats();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { undo, redo } = useUndoCompaction(toast);
  const [comparing, setComparing] = useState<PointId | null>(null);
  const { id, currentThread } = view.session;
  const close = () => {
    setComparing(null);
  };
  const recompaction = useRecompaction(id);
  const { data } = useCompactions(id, required);
  if (!data) return <p>{text('kit.loading')}</p>;
  const { points, undone } = data;
  return (
    <Stack>
      {undone && (
        <Row>
          <div>
            {text('compaction.undone', {
              count: undone.covered,
              before: formats.exact(undone.before),
              after: formats.exact(undone.after),
            })}
            {recompaction && <p className="Compactions-again">{text('compaction.again')}</p>}
          </div>
          <Button
            icon="redo"
            onClick={() => {
              reportError(redo(id, currentThread));
            }}
          >
            {text('transcript.redo')}
          </Button>
          {recompaction && (
            <Button
              onClick={() => {
                reportError(recompaction.switchOff());
              }}
            >
              {text('compaction.switchOff')}
            </Button>
          )}
        </Row>
      )}
      {points.length === 0 && <p className="Compactions-quiet">{text('compaction.none')}</p>}
      <ol className="Compactions" aria-label={text('compaction.title')}>
        {points.map((point) => (
          <li key={point.point.id}>
            <CompactionSummaryLine point={point} />
            <Row>
              <Button
                kind="quiet"
                icon="compare"
                onClick={() => {
                  setComparing(point.point.id);
                }}
              >
                {text('compaction.compare')}
              </Button>
              {point.applied && (
                <Button
                  kind="quiet"
                  icon="undo"
                  onClick={() => {
                    reportError(undo(id, currentThread, point.point.id));
                  }}
                >
                  {text('compaction.undo')}
                </Button>
              )}
              {point.applied && point.stale && (
                <RenewButton sessionId={id} pointId={point.point.id} />
              )}
            </Row>
          </li>
        ))}
      </ol>
      {comparing !== null && (
        <LazyDialog title={text('context.compare')} size="full" onClose={close}>
          <CompareDialog pointId={comparing} threadId={currentThread} onClose={close} />
        </LazyDialog>
      )}
    </Stack>
  );
}

function RenewButton({ sessionId, pointId }: { sessionId: SessionId; pointId: PointId }) {
  const text = useText();
  const renewal = useRenewSummary(sessionId, pointId, useToast());
  return (
    <Button icon="refresh" {...renewal}>
      {text('compaction.renew')}
    </Button>
  );
}

function CompactionSummaryLine({ point: view }: { point: PointView }) {
  const { point, applied, stale, encryptedBy } = view;
  const text = useText();
  const formats = useFormats();
  return (
    <>
      <p>
        {text(point.afterMessageId ? 'transcript.rangeLine' : 'transcript.summaryLine', {
          count: point.covered,
          before: formats.exact(point.before),
          after: formats.exact(point.after),
          trigger: text(`transcript.${point.trigger}`),
          model: summaryAuthor(text, view),
        })}
        {applied && <small>{text('kit.aside', { words: text('compaction.applied') })}</small>}
      </p>
      {encryptedBy && <p>{text('compaction.encryptedBeside', { model: encryptedBy.model })}</p>}
      {stale && (
        <p className="Compactions-stale">
          <strong>{text('compaction.stale')}</strong> {text('compaction.staleHint')}
        </p>
      )}
    </>
  );
}
