/** The text of a message, without tool calls, reasoning and attachments. */
import type { ContentPart, Message } from '../../ipc/bindings';
import { textOfParts } from '../../state/text/excerpt';

export const messageText = ({ parts }: Message): string => textOfParts(parts);

/** True if the message has text to copy. */
export const hasText = ({ parts }: Message): boolean => parts.some(isTextPart);

const isTextPart = (part: ContentPart) => part.type === 'text' && part.text.trim() !== '';
