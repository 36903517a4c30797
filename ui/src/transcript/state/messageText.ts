/** What a message says in words, without its tools, thoughts and attachments. */
import type { ContentPart, Message } from '../../ipc/bindings';
import { textOfParts } from '../../state/text/excerpt';

export const messageText = ({ parts }: Message): string => textOfParts(parts);

/** It says something: what is only a picture, a file or a call leaves nothing to copy. */
export const hasText = ({ parts }: Message): boolean => parts.some(isTextPart);

const isTextPart = (part: ContentPart) => part.type === 'text' && part.text.trim() !== '';
