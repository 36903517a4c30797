/**
 * What a tool call is called where those of a whole conversation stand beside each other.
 */
import type { MessageId } from '../../ipc/bindings';

/** Many servers number the calls of each reply anew: an id is a call's own within its message alone. */
export const toolCallKey = (messageId: MessageId, callId: string) => `${messageId}/${callId}`;
