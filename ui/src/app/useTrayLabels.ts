/** Sends the texts of the tray's menu to Rust, at the start and when the language changes. */
import { useEffect } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';

export function useTrayLabels() {
  const text = useText();
  const { commands } = useBackend();
  useEffect(() => {
    const labels = {
      open: text('app.trayOpen'),
      newSession: text('threads.newSession'),
      quickAsk: text('app.quickAsk'),
      quit: text('app.trayQuit'),
    };
    commands.setTrayLabels(labels).catch((error: unknown) => {
      console.error('the tray has no menu', error);
    });
  }, [commands, text]);
}
