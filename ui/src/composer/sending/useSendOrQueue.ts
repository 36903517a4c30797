/**
 * Sends a message, or has it wait: behind the reply that is on its way when it is sent, and behind what
 * waits already. It may be sent when its session is out of sight. The conversation goes on from where it is
 * sent: nothing offers any more to go on from elsewhere.
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
