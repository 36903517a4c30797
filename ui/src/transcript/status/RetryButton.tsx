/**
 * Sends a failed message again. One that was too long can be sent only if it may fit by now: it is shorter,
 * the context window is larger, or it is compacted first.
 */
import type { ReactNode } from 'react';
import { useText } from '../../i18n';
import type { Error as AppError, ContextEstimate, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useEstimate } from '../../state/queries/estimateQueries';

type RetryButtonProps = { fault: AppError; sessionId: SessionId; onRetry: () => Promise<unknown> };

export function RetryButton({ fault, sessionId, onRetry }: RetryButtonProps) {
  const text = useText();
  const retry = (
    <Button icon="refresh" onClick={() => void onRetry()}>
      {text('transcript.retry')}
    </Button>
  );
  if (fault.kind !== 'tooLong' || fault.outputOnly) return retry;
  return <IfRequestFits sessionId={sessionId}>{retry}</IfRequestFits>;
}

const nothingWritten = { text: '', attachments: [] };

/** Without a count, a retry is the only way to know. */
function IfRequestFits({ sessionId, children }: { sessionId: SessionId; children: ReactNode }) {
  const { data, isPending } = useEstimate(sessionId, nothingWritten);
  return isPending || (data && !mayFit(data)) ? null : children;
}

function mayFit({ used, limit, due }: ContextEstimate): boolean {
  if (due?.type === 'compaction' || due?.type === 'archiving') return true;
  return limit === null || used.tokens <= limit.value;
}
