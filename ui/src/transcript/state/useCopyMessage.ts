/**
 * Copying what a message says. A reply goes as its Markdown, and beside it formatted, for programs that
 * take that; what a person wrote goes as they wrote it.
 */
import { useBackend } from '../../ipc';
import type { Message } from '../../ipc/bindings';
import { messageText } from './messageText';

export function useCopyMessage() {
  const { commands, desktop } = useBackend();
  return async (message: Message) => {
    const words = messageText(message);
    if (message.role === 'user') {
      await desktop.copyText(words);
      return;
    }
    try {
      await desktop.copyFormatted(words, await commands.formatted(words));
    } catch {
      // A desktop that takes nothing formatted takes the words.
      await desktop.copyText(words);
    }
  };
}
