/** Sends the texts outside of the windows to Rust, at the start and when the language changes. */
import { useEffect } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';

export function useDesktopTexts() {
  const text = useText();
  const { commands } = useBackend();
  useEffect(() => {
    const texts = {
      open: text('app.trayOpen'),
      newSession: text('threads.newSession'),
      quickAsk: text('app.quickAsk'),
      quit: text('app.trayQuit'),
    };
    commands.setDesktopTexts(texts).catch((error: unknown) => {
      console.error('the desktop has no texts', error);
    });
  }, [commands, text]);
}
