/**
 * Sends a message, or has it wait: behind the reply that is on its way when it is sent, and behind what
 * waits already. It may be sent when its session is out of sight. The conversation goes on from where it is
 * sent: nothing offers any more to go on from elsewhere.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { Draft, SessionView } from '../ipc/bindings';
import { useWithdraw } from '../kit/Toast';
import { useActions } from '../state/actions';
import { keys } from '../state/reading';
import { ofPathIn } from '../state/toasts';
import { isReplying, turns } from '../state/turn';

export function useQueue(view: SessionView) {
  const { id, currentThread } = view.session;
  const withdraw = useWithdraw();
  const client = useQueryClient();
  const actions = useActions(id);
  return (message: Draft) => {
    withdraw(ofPathIn(currentThread));
    const { activity, waiting } = client.getQueryData<SessionView>(keys.session(id)) ?? view;
    const running = turns.get(id).running || isReplying(activity);
    return running || waiting.length > 0 ? actions.wait(message) : actions.send(message);
  };
}
