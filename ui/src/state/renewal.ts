/**
 * The button that has a stale summary written anew, wherever it stands: what it does, and while it waits,
 * why.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { useAttempting, type Say } from './attempt';
import { useCompaction } from './reading';

export function useRenewal(session: SessionId, say: Say) {
  const text = useText();
  const attempt = useAttempting(say);
  const { commands } = useBackend();
  const compacting = useCompaction(session).data?.type === 'running';
  return {
    disabled: compacting,
    title: compacting ? text('errors.compacting') : undefined,
    onClick: () => {
      attempt(commands.renewSummary(session));
    },
  };
}
