/**
 * Sends a message, or has it wait: behind the reply that is on its way when it is sent, and behind what
 * waits already. It may be sent when its session is out of sight.
 */
import { useQueryClient } from '@tanstack/react-query';
import type { Draft, SessionView } from '../ipc/bindings';
import { useActions } from '../state/actions';
import { keys } from '../state/reading';
import { isReplying, turns } from '../state/turn';

export function useQueue(view: SessionView) {
  const { id } = view.session;
  const client = useQueryClient();
  const actions = useActions(id);
  return (message: Draft) => {
    const { activity, waiting } = client.getQueryData<SessionView>(keys.session(id)) ?? view;
    const running = turns.get(id).running || isReplying(activity);
    return running || waiting.length > 0 ? actions.wait(message) : actions.send(message);
  };
}
