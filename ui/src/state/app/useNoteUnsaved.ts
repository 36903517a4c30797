import { useEffect } from 'react';
import { useBackend } from '../../ipc';

/** Makes Rust ask before this window closes while it has unsaved text. */
export function useNoteUnsaved(isUnsaved: boolean) {
  const { commands } = useBackend();
  useEffect(() => {
    // If that fails, the window closes without a question.
    commands.noteUnsaved(isUnsaved).catch(() => undefined);
  }, [commands, isUnsaved]);
}
