/**
 * Attaches to a turn that this webview did not start: one from before a reload, or one of a queued message.
 * The promise of `watch` ends with the turn, as that of `send` does.
 */
import { useEffect } from 'react';
import { useBackend } from '../../ipc';
import type { SessionView } from '../../ipc/bindings';
import { toAppError } from '../text/errorText';
import { isReplying, turnStore } from './turnStore';
import { useReceiveTurnEvent } from './useReceiveTurnEvent';

export function useAttachToTurn({ session: { id }, activity }: SessionView) {
  const backend = useBackend();
  const receive = useReceiveTurnEvent(id);
  const busy = isReplying(activity);
  useEffect(() => {
    const before = turnStore.get(id);
    if (!busy || before.running) return;
    const channel = backend.channel(receive);
    const turn = turnStore.begin(id);
    backend.commands.watch(id, channel).then(
      (watched) => {
        if (watched) turnStore.end(id, turn, null);
        // The turn had just ended: its notices stay.
        else turnStore.rollBack(id, turn, before);
      },
      (thrown: unknown) => {
        turnStore.end(id, turn, toAppError(thrown));
      },
    );
  }, [backend, receive, id, busy]);
}
