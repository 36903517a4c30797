/** Saving the replies that could not be stored into a file. */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { useAttempting } from './attempt';

/** Shows a toast. */
type Say = (toast: { words: string; failed?: true }) => void;

export function useSavingUnstored(say: Say) {
  const text = useText();
  const { commands, desktop } = useBackend();
  const attempt = useAttempting(say);
  const save = async () => {
    const title = text('transcript.saveUnstored');
    const path = await desktop.pickTarget(title, 'reply.md', [
      { name: 'Markdown', endings: ['md'] },
    ]);
    if (path === null) return;
    await commands.saveUnstored(path);
    say({ words: text('transcript.savedUnstored', { path }) });
  };
  return () => {
    attempt(save());
  };
}
