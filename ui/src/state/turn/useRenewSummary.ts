/**
 * The button that has a stale summary written anew, wherever it stands: what it does, and while it waits,
 * why.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { useReportError, type ShowErrorToast } from '../text/useReportError';
import { useCompactionStatus } from '../queries/queries';

export function useRenewSummary(session: SessionId, say: ShowErrorToast) {
  const text = useText();
  const attempt = useReportError(say);
  const { commands } = useBackend();
  const compacting = useCompactionStatus(session).data?.type === 'running';
  return {
    disabled: compacting,
    title: compacting ? text('errors.compacting') : undefined,
    onClick: () => {
      attempt(commands.renewSummary(session));
    },
  };
}
