/** Saves replies that could not be stored to a file. */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import { useReportError } from '../text/useReportError';

type ShowSaveToast = (toast: { words: string; failed?: true }) => void;

export function useSaveUnstored(say: ShowSaveToast) {
  const text = useText();
  const { commands, desktop } = useBackend();
  const reportError = useReportError(say);
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
    reportError(save());
  };
}
