/**
 * Shows a file or folder in the desktop's file manager; if that fails, a toast names its path.
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
