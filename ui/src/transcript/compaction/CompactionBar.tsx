/**
 * The context status above the conversation: a running compaction with its streaming summary, the reason
 * for one that failed, and the decisions that wait for the user.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { CompactionProgress, SessionId, BlockReason } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { errorText } from '../../state/text/errorText';
import { useCompactionStatus, useHealth } from '../../state/queries/queries';
import { useCompactionError, useDismissCompactionError } from '../../state/turn/turnNoticeLifetime';
import { useCompactionActions } from '../../state/turn/useCompactionActions';
import { turnStore, useTurn } from '../../state/turn/turnStore';
import { useAnnounceCompaction } from '../status/useAnnounceTranscript';
import { StreamingSummary } from './StreamingSummary';
import { BudgetQuestion } from '../../budgets/BudgetQuestion';
import { OverflowActions } from '../status/OverflowActions';
import '../Transcript.css';
import './CompactionBar.css';

type CompactionBarProps = {
  sessionId: SessionId;
  /** An archived thread is shown: only a running compaction is reported, no decisions. */
  readOnly: boolean;
  onEstimate: () => void;
};

export function CompactionBar({ sessionId, readOnly, onEstimate }: CompactionBarProps) {
  const { data: status } = useCompactionStatus(sessionId);
  useAnnounceCompaction(sessionId, status);
  if (status?.type === 'running') return <CompactionProgressBar {...{ sessionId }} {...status} />;
  return readOnly ? null : <CompactionBlocked {...{ sessionId, onEstimate }} />;
}

type CompactionBlockedProps = Omit<CompactionBarProps, 'readOnly'>;

function CompactionBlocked({ sessionId, onEstimate }: CompactionBlockedProps) {
  const text = useText();
  const { data: health } = useHealth(sessionId);
  const isAway = useTurn(sessionId, ({ dismissed: putAway }) => putAway.includes('waits'));
  const fault = useCompactionError(sessionId);
  const isTurnAsking = useTurn(sessionId, (turn) => turn.fault?.kind === 'overBudget');
  const dismiss = useDismissCompactionError(sessionId);
  const { repeat } = useCompactionActions(sessionId);
  const putAway = (
    <Button
      kind="quiet"
      onClick={() => {
        dismiss();
        turnStore.dismiss(sessionId, 'waits');
      }}
    >
      {text('kit.dismiss')}
    </Button>
  );
  const waits = health?.waits ?? null;
  if (waits && !isAway) {
    const stuck = waits.type !== 'paused';
    const actions = (
      <>
        {!stuck && (
          <Button kind="quiet" onClick={onEstimate}>
            {text('context.estimate')}
          </Button>
        )}
        {putAway}
      </>
    );
    return (
      <Banner kind="warning" actions={actions}>
        <BlockedReason waits={waits} />
        <OverflowActions
          sessionId={sessionId}
          limit={waits.limit}
          onEstimate={stuck ? onEstimate : undefined}
        />
      </Banner>
    );
  }
  if (fault?.kind === 'overBudget') {
    if (isTurnAsking) return null;
    const { stop } = fault;
    return <BudgetQuestion {...{ stop, sessionId }} onAllowed={repeat} onDismiss={dismiss} />;
  }
  return (
    fault && (
      <Banner kind="warning" actions={putAway}>
        {errorText(text, fault)}
      </Banner>
    )
  );
}

function BlockedReason({ waits }: { waits: BlockReason }) {
  const text = useText();
  switch (waits.type) {
    case 'stuck':
      return text('errors.stuck', waits);
    case 'tight':
      return text('transcript.tight', waits);
    case 'paused':
      return text('transcript.paused', { ...waits, reason: text(`errors.${waits.reason}`) });
  }
}

type CompactionProgressBarProps = { sessionId: SessionId; progress: CompactionProgress };

function CompactionProgressBar({ sessionId, progress }: CompactionProgressBarProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  return (
    <div className="CompactionBar">
      <div className="CompactionBar-line">
        <span role="status" aria-label={text('transcript.optimising')}>
          <span>{text('transcript.optimising')}</span>
          {progress.pieces > 1 && <span>{`${progress.piece} / ${progress.pieces}`}</span>}
        </span>
        <span className="CompactionBar-meaning">{text('transcript.optimisingMeans')}</span>
        <Button
          kind="quiet"
          onClick={() => {
            reportError(commands.cancelCompaction(sessionId));
          }}
        >
          {text('kit.cancel')}
        </Button>
      </div>
      {progress.unstored && (
        <Banner kind="danger">
          <p>{text('transcript.summaryUnstored')}</p>
          <p>{errorText(text, progress.unstored)}</p>
        </Banner>
      )}
      {progress.text !== '' && <StreamingSummary words={progress.text} />}
    </div>
  );
}
