/**
 * A change of model that waits for the person's word, because it would change more than the model.
 */
import { useSyncExternalStore } from 'react';
import type { ModelRef, SessionId, SwitchPreview } from '../../ipc/bindings';

export type PendingModelSwitch = {
  session: SessionId;
  model: ModelRef;
  preview: SwitchPreview;
  consequence: 'compacts' | 'archives' | 'tooLong';
};

/** How often a model was asked for in each session. */
const choiceCounts = new Map<SessionId, number>();

/**
 * A model is asked for. What it returns says whether none was since: weighing takes as long as counting does.
 */
export function beginModelChoice(session: SessionId): () => boolean {
  const mine = (choiceCounts.get(session) ?? 0) + 1;
  choiceCounts.set(session, mine);
  return () => choiceCounts.get(session) === mine;
}

let pendingSwitch: PendingModelSwitch | null = null;
const watchers = new Set<() => void>();

export function setPendingModelSwitch(next: PendingModelSwitch | null) {
  pendingSwitch = next;
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
export function usePendingModelSwitch(session: SessionId): PendingModelSwitch | null {
  const waiting = useSyncExternalStore(watch, () => pendingSwitch);
  return waiting?.session === session ? waiting : null;
}
