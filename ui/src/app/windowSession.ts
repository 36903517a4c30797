/** The session that this window shows alone; null: this is the app window. */
import type { SessionId } from '../ipc/bindings';

const asked = new URLSearchParams(window.location.search).get('session');

export const windowSession: SessionId | null = asked === null ? null : Number(asked);
