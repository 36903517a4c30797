/**
 * Sends a message, or queues it behind a running reply and the messages that are queued already. Its session
 * may not be shown any more. The message continues the current branch: a toast that offers to go back to
 * another branch is withdrawn.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { Draft, SessionView } from '../../ipc/bindings';
import { useWithdrawToasts } from '../../kit/notifications/Toast';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { queryKeys } from '../../state/queries/queries';
import { branchToastId } from '../../state/text/toastIds';
import { isReplying, turnStore } from '../../state/turn/turnStore';

export function useSendOrQueue(view: SessionView) {
  const { id, currentThread } = view.session;
  const withdraw = useWithdrawToasts();
  const client = useQueryClient();
  const actions = useSessionActions(id);
  return (message: Draft) => {
    withdraw(branchToastId(currentThread));
    const { activity, waiting } = client.getQueryData<SessionView>(queryKeys.session(id)) ?? view;
    const running = turnStore.get(id).running || isReplying(activity);
    return running || waiting.length > 0 ? actions.wait(message) : actions.send(message);
  };
}
