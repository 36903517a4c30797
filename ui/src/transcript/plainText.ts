/** What a message says in words, without its tools, thoughts and attachments. */
import type { Message } from '../ipc/bindings';

export function plainText(message: Message): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
