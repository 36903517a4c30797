/**
 * Takes up a turn that this window did not begin: one from before it was reloaded, or one of a message
 * that had waited. The promise of watching is the turn, as it is of sending.
 */
import { useEffect } from 'react';
import { useBackend } from '../../ipc';
import type { SessionView } from '../../ipc/bindings';
import { toAppError } from '../text/errorText';
import { isReplying, turnStore } from './turnStore';

export function useAttachToTurn({ session: { id }, activity }: SessionView) {
  const backend = useBackend();
  const busy = isReplying(activity);
  useEffect(() => {
    const before = turnStore.get(id);
    if (!busy || before.running) return;
    const channel = backend.channel((event) => {
      turnStore.receive(id, event);
    });
    const turn = turnStore.begin(id);
    backend.commands.watch(id, channel).then(
      (watched) => {
        if (watched) turnStore.end(id, turn, null);
        // It had just ended: what was said about it stays.
        else turnStore.rollBack(id, turn, before);
      },
      (thrown: unknown) => {
        turnStore.end(id, turn, toAppError(thrown));
      },
    );
  }, [backend, id, busy]);
}
