/**
 * Shows a file or a folder in the program the person looks at files with, and says where it is if none does.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';

export function useRevealFile(say: (toast: { words: string; failed: true }) => void) {
  const text = useText();
  const { desktop } = useBackend();
  return (path: string) => {
    desktop.showInFolder(path).catch(() => {
      say({ words: text('data.notShown', { path }), failed: true });
    });
  };
}
