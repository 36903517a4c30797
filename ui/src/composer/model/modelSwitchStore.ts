/**
 * A switch of models that waits for the user to confirm it, because it would compact or archive the thread.
 */
import type { ModelRef, SessionId, SwitchPreview } from '../../ipc/bindings';
import { createStore, useStore } from '../../kit/hooks/createStore';

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

const pendingSwitch = createStore<PendingModelSwitch | null>(null);

export const setPendingModelSwitch = pendingSwitch.set;

export const usePendingModelSwitch = (session: SessionId): PendingModelSwitch | null =>
  useStore(pendingSwitch, (pending) => (pending?.session === session ? pending : null));
