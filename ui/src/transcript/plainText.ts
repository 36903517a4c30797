/** What a message says in words, without its tools, thoughts and attachments. */
import type { ContentPart, Message } from '../ipc/bindings';
import { textOf } from '../state/excerpt';

export const plainText = ({ parts }: Message): string => textOf(parts);

/** It says something: what is only a picture, a file or a call leaves nothing to copy. */
export const hasWords = ({ parts }: Message): boolean => parts.some(says);

const says = (part: ContentPart) => part.type === 'text' && part.text.trim() !== '';
