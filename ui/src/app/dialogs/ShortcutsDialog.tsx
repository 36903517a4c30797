/** The list of all shortcuts (Ctrl+/). */
import { useText } from '../../i18n';
import { Dialog } from '../../kit/overlays/Dialog';
import { ShortcutList } from '../../settings/about/ShortcutList';
import { useSettings } from '../../state/queries/queries';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const text = useText();
  const send = useSettings().data?.settings.keyboard.send ?? 'enter';
  return (
    <Dialog title={text('finding.shortcuts')} onClose={onClose} size="wide">
      <ShortcutList send={send} />
    </Dialog>
  );
}
