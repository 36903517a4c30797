/**
 * The key of a tool call that is unique in a conversation.
 */
import type { MessageId } from '../../ipc/bindings';

/** Many servers number the calls of each reply from the start: an id is unique in its message only. */
export const toolCallKey = (messageId: MessageId, callId: string) => `${messageId}/${callId}`;
