/**
 * Of what toasts are that several places show: a newer one takes the place of what was said before.
 */
import type { ProviderId, SessionId, ThreadId } from '../../ipc/bindings';

/** That it was deleted, brought back, or is gone. */
export const sessionToastId = (id: SessionId) => `session ${id}`;

/** What model answers in it now. */
export const modelToastId = (id: SessionId) => `model in session ${id}`;

/** That it is saved, what it lists, and where it can be used. */
export const providerToastId = (id: ProviderId) => `provider ${id}`;

/** That its latest compaction was undone, or put back. */
export const compactionToastId = (id: SessionId) => `compaction in session ${id}`;

/** That its context was cleared. */
export const clearToastId = (id: SessionId) => `clear in session ${id}`;

/** Where its conversation goes on from. */
export const branchToastId = (id: ThreadId) => `path in thread ${id}`;
