/**
 * Ctrl+/: every key there is.
 */
import { useText } from '../i18n';
import { Dialog } from '../kit/Dialog';
import { ShortcutList } from '../settings/ShortcutList';
import { useSettings } from '../state/reading';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const text = useText();
  const send = useSettings().data?.settings.keyboard.send ?? 'enter';
  return (
    <Dialog title={text('finding.shortcuts')} onClose={onClose} size="wide">
      <ShortcutList send={send} />
    </Dialog>
  );
}
