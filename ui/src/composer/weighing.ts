/**
 * A change of model that waits for the person's word, because it would change more than the model.
 */
import { useSyncExternalStore } from 'react';
import type { ModelRef, SessionId, SwitchPreview } from '../ipc/bindings';

export type Weighed = {
  session: SessionId;
  model: ModelRef;
  preview: SwitchPreview;
  consequence: 'compacts' | 'archives' | 'tooLong';
};

let weighed: Weighed | null = null;
const watchers = new Set<() => void>();

export function weigh(next: Weighed | null) {
  weighed = next;
  watchers.forEach((watcher) => {
    watcher();
  });
}

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
};

/** What waits in a session. */
export function useWeighed(session: SessionId): Weighed | null {
  const waiting = useSyncExternalStore(watch, () => weighed);
  return waiting?.session === session ? waiting : null;
}
