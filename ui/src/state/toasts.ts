/**
 * Of what toasts are that several places show: a newer one takes the place of what was said before.
 */
import type { ProviderId, SessionId, ThreadId } from '../ipc/bindings';

/** That it was deleted, brought back, or is gone. */
export const ofSession = (id: SessionId) => `session ${id}`;

/** What model answers in it now. */
export const ofModelIn = (id: SessionId) => `model in session ${id}`;

/** That it is saved, what it lists, and where it can be used. */
export const ofProvider = (id: ProviderId) => `provider ${id}`;

/** That its latest compaction was undone, or put back. */
export const ofCompactionIn = (id: SessionId) => `compaction in session ${id}`;

/** That its context was cleared. */
export const ofClearIn = (id: SessionId) => `clear in session ${id}`;

/** Where its conversation goes on from. */
export const ofPathIn = (id: ThreadId) => `path in thread ${id}`;
