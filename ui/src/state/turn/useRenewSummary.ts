/**
 * The action of the button that renews a stale summary, and while it is disabled, the reason.
 */
import { useText } from '../../i18n';
import type { PointId, SessionId } from '../../ipc/bindings';
import { useReportError, type ShowErrorToast } from '../text/useReportError';
import { useCompactionStatus } from '../queries/queries';
import { useCompactionActions } from './useCompactionActions';

export function useRenewSummary(session: SessionId, point: PointId | null, say: ShowErrorToast) {
  const text = useText();
  const reportError = useReportError(say);
  const { renewSummary } = useCompactionActions(session);
  const compacting = useCompactionStatus(session).data?.type === 'running';
  return {
    disabled: compacting,
    title: compacting ? text('errors.compacting') : undefined,
    onClick: () => {
      reportError(renewSummary(point));
    },
  };
}
