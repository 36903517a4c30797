/**
 * The subjects of toasts that several places show: a newer toast replaces the older one of its subject.
 */
import type { ProviderId, SessionId, ThreadId } from '../../ipc/bindings';

/** A session was deleted, restored, or not found. */
export const sessionToastId = (id: SessionId) => `session ${id}`;

/** The model of a session has changed. */
export const modelToastId = (id: SessionId) => `model in session ${id}`;

/** A provider was saved, listed or can be used. */
export const providerToastId = (id: ProviderId) => `provider ${id}`;

/** The latest compaction was undone or redone. */
export const compactionToastId = (id: SessionId) => `compaction in session ${id}`;

/** The context was cleared. */
export const clearToastId = (id: SessionId) => `clear in session ${id}`;

/** The thread continues from another message. */
export const branchToastId = (id: ThreadId) => `path in thread ${id}`;
