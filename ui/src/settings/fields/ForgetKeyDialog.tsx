/**
 * Asks before a key is deleted: that cannot be undone, because keys are never shown.
 */
import { useText } from '../../i18n';
import { ConfirmDialog } from '../../kit/overlays/ConfirmDialog';

type ForgetKeyDialogProps = { onForget: () => void; onClose: () => void };

export function ForgetKeyDialog({ onForget, onClose }: ForgetKeyDialogProps) {
  const text = useText();
  return (
    <ConfirmDialog
      title={text('settings.forgetKeyTitle')}
      words={text('settings.forgetKeyWords')}
      confirm={text('settings.forgetKeyNow')}
      onConfirm={onForget}
      onClose={onClose}
    />
  );
}
