/**
 * Asks before a key is deleted: that cannot be undone, because keys are never shown.
 */
import { useText } from '../../i18n';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';

type ForgetKeyDialogProps = { onForget: () => void; onClose: () => void };

export function ForgetKeyDialog({ onForget, onClose }: ForgetKeyDialogProps) {
  const text = useText();
  return (
    <Dialog
      title={text('settings.forgetKeyTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              onForget();
            }}
          >
            {text('settings.forgetKeyNow')}
          </Button>
        </>
      }
    >
      <p>{text('settings.forgetKeyWords')}</p>
    </Dialog>
  );
}
