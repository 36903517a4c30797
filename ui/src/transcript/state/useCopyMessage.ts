/**
 * Copies the text of a message: a reply as Markdown and, for programs that take it, as formatted text; a
 * message of the user as it was written.
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
      // Some desktops take plain text only.
      await desktop.copyText(words);
    }
  };
}
