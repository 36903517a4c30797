/** What a message says in words, without its tools, thoughts and attachments. */
import type { Message } from '../ipc/bindings';
import { textOf } from '../state/excerpt';

export const plainText = ({ parts }: Message): string => textOf(parts);
