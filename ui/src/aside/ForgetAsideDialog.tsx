/**
 * Asks before side questions are forgotten.
 */
import { useText } from '../i18n';
import { Button } from '../kit/controls/Button';
import { Dialog } from '../kit/overlays/Dialog';

type ForgetAsideDialogProps = { onForget: () => void; onClose: () => void };

export function ForgetAsideDialog({ onForget, onClose }: ForgetAsideDialogProps) {
  const text = useText();
  return (
    <Dialog
      title={text('aside.closeTitle')}
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
            {text('aside.forget')}
          </Button>
        </>
      }
    >
      <p>{text('aside.closeWords')}</p>
    </Dialog>
  );
}
