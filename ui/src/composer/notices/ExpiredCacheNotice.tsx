/**
 * Says that a long conversation has left the provider's cache, what the next message then costs, and what it
 * costs together with a compaction before it. Nothing where a price is not known or costs are switched off.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import type { CostEstimate, Draft, SessionView, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { IconButton } from '../../kit/controls/IconButton';
import { useToast } from '../../kit/notifications/Toast';
import { useCompactFirstCost, useEstimate } from '../../state/queries/estimateQueries';
import { useCompactionStatus } from '../../state/queries/queries';
import { useEstimateText } from '../../state/text/costText';
import { useReportError } from '../../state/text/useReportError';
import { useCompactionActions } from '../../state/turn/useCompactionActions';

type ExpiredCacheNoticeProps = { view: SessionView; draft: Draft; running: boolean };

export function ExpiredCacheNotice({ view, draft, running }: ExpiredCacheNoticeProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const { id, currentThread } = view.session;
  const { compact } = useCompactionActions(id);
  const [dismissed, setDismissed] = useState<ThreadId | null>(null);
  const estimateText = usePriceOnly();
  const { data: estimate } = useEstimate(id, draft);
  const isCompacting = useCompactionStatus(id).data?.type === 'running';
  const expired = estimate?.cost.expired ?? null;
  const now = expired && estimateText(expired);
  const { data: compactFirst = null } = useCompactFirstCost(id, draft, now !== null);
  const after = compactFirst && estimateText(compactFirst);
  if (now === null || after === null) return null;
  if (running || isCompacting || dismissed === currentThread) return null;
  return (
    <p role="status" className="Composer-notice">
      {text('usage.expired', { now, compacted: after })}{' '}
      <Button
        kind="quiet"
        onClick={() => {
          reportError(compact());
        }}
      >
        {text('usage.compactFirst')}
      </Button>
      <IconButton
        label={text('kit.dismiss')}
        icon="close"
        onClick={() => {
          setDismissed(currentThread);
        }}
      />
    </p>
  );
}

/** An estimate in words; null where it has no amount, or costs are not shown. */
function usePriceOnly() {
  const estimateText = useEstimateText();
  return (estimate: CostEstimate) =>
    estimate.type === 'between' || estimate.type === 'atLeast' ? estimateText(estimate) : null;
}
