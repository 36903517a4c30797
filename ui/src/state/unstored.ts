/** Saving the replies that could not be stored into a file. */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { useToast } from '../kit/Toast';
import { useAttempting } from './attempt';

export function useSavingUnstored() {
  const text = useText();
  const { commands, desktop } = useBackend();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const save = async () => {
    const title = text('transcript.saveUnstored');
    const path = await desktop.pickTarget(title, 'reply.md', [
      { name: 'Markdown', endings: ['md'] },
    ]);
    if (path === null) return;
    await commands.saveUnstored(path);
    toast({ words: text('transcript.savedUnstored', { path }) });
  };
  return () => {
    attempt(save());
  };
}
