/**
 * An image in a dialog: fitted into it, or on request in its full size.
 */
import { useState, type ReactNode } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { Button } from '../kit/controls/Button';
import { CopyButton } from '../kit/notifications/CopyButton';
import { Dialog } from '../kit/overlays/Dialog';
import { Spinner } from '../kit/display/Spinner';
import { Row } from '../kit/display/Stack';
import './AttachmentViewer.css';

type ImageDialogProps = {
  name: string;
  /** null: not loaded, or not available. */
  address: string | null;
  failed?: boolean;
  /** Content before and after the buttons. */
  before?: ReactNode;
  behind?: ReactNode;
  onClose: () => void;
};

export function ImageDialog(props: ImageDialogProps) {
  const { name, address, failed = false, before, behind, onClose } = props;
  const text = useText();
  const { desktop } = useBackend();
  const [larger, setLarger] = useState(false);
  const [full, setFull] = useState(false);
  return (
    <Dialog
      title={name}
      size="full"
      onClose={onClose}
      actions={
        <Row>
          {before}
          {larger && (
            <Button
              onClick={() => {
                setFull(!full);
              }}
            >
              {text(full ? 'attach.fit' : 'attach.fullSize')}
            </Button>
          )}
          {address !== null && (
            <CopyButton worded label={text('kit.copy')} copy={() => desktop.copyPicture(address)} />
          )}
          {behind}
        </Row>
      }
    >
      {failed && <p role="alert">{text('attach.unreadable')}</p>}
      {!failed && address === null && <Spinner>{text('kit.loading')}</Spinner>}
      {address !== null && (
        <img
          className="AttachmentViewer-picture"
          data-full={full || undefined}
          src={address}
          alt={name}
          onLoad={({ currentTarget: { naturalWidth, width } }) => {
            setLarger(naturalWidth > width);
          }}
        />
      )}
    </Dialog>
  );
}
