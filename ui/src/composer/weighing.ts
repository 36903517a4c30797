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

/** How often a model was asked for in each session. */
const asked = new Map<SessionId, number>();

/**
 * A model is asked for. What it returns says whether none was since: weighing takes as long as counting does.
 */
export function ask(session: SessionId): () => boolean {
  const mine = (asked.get(session) ?? 0) + 1;
  asked.set(session, mine);
  return () => asked.get(session) === mine;
}

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
