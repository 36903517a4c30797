/**
 * A switch of models that waits for the user to confirm it, because it would compact or archive the thread.
 */
import { useSyncExternalStore } from 'react';
import type { ModelRef, SessionId, SwitchPreview } from '../../ipc/bindings';

export type PendingModelSwitch = {
  session: SessionId;
  model: ModelRef;
  preview: SwitchPreview;
  consequence: 'compacts' | 'archives' | 'tooLong';
};

/** Counts the choices of each session. */
const choiceCounts = new Map<SessionId, number>();

/**
 * Registers a choice. The returned function tells whether it is still the latest one: the preview counts
 * tokens, and the user may choose again meanwhile.
 */
export function beginModelChoice(session: SessionId): () => boolean {
  const choice = (choiceCounts.get(session) ?? 0) + 1;
  choiceCounts.set(session, choice);
  return () => choiceCounts.get(session) === choice;
}

let pendingSwitch: PendingModelSwitch | null = null;
const listeners = new Set<() => void>();

export function setPendingModelSwitch(next: PendingModelSwitch | null) {
  pendingSwitch = next;
  listeners.forEach((listener) => {
    listener();
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export function usePendingModelSwitch(session: SessionId): PendingModelSwitch | null {
  const pending = useSyncExternalStore(subscribe, () => pendingSwitch);
  return pending?.session === session ? pending : null;
}
