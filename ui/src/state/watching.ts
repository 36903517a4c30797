/**
 * Takes up a turn that this window did not begin: one from before it was reloaded, or one of a message
 * that had waited. The promise of watching is the turn, as it is of sending.
 */
import { useEffect } from 'react';
import { useBackend } from '../ipc';
import type { SessionView } from '../ipc/bindings';
import { asFault } from './actions';
import { isReplying, turns } from './turn';

export function useWatching({ session: { id }, activity }: SessionView) {
  const backend = useBackend();
  const busy = isReplying(activity);
  useEffect(() => {
    const before = turns.get(id);
    if (!busy || before.running) return;
    const channel = backend.channel((event) => {
      turns.hear(id, event);
    });
    const turn = turns.begin(id);
    backend.commands.watch(id, channel).then(
      (watched) => {
        if (watched) turns.end(id, turn, null);
        // It had just ended: what was said about it stays.
        else turns.withdraw(id, turn, before);
      },
      (thrown: unknown) => {
        turns.end(id, turn, asFault(thrown));
      },
    );
  }, [backend, id, busy]);
}
