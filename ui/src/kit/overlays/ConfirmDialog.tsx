/**
 * Asks before something is done that cannot be undone.
 */
import { useText } from '../../i18n';
import { Button } from '../controls/Button';
import { Dialog } from './Dialog';

type ConfirmDialogProps = {
  title: string;
  /** The consequence. */
  words: string;
  /** The label of the button that does it. */
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
};

export function ConfirmDialog({ title, words, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const text = useText();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <p>{words}</p>
    </Dialog>
  );
}
