/**
 * What was opened from a message, over the window.
 */
import { AttachmentViewer } from '../attachments/AttachmentViewer';
import { PictureDialog } from '../attachments/PictureDialog';
import type { SessionId } from '../ipc/bindings';
import type { Opened } from './opened';
import { WholeDialog } from './WholeDialog';

type OpenedDialogProps = { opened: Opened; sessionId: SessionId; onClose: () => void };

export function OpenedDialog({ opened, sessionId, onClose }: OpenedDialogProps) {
  switch (opened.type) {
    case 'attachment':
      return <AttachmentViewer part={opened.part} onClose={onClose} />;
    case 'picture':
      return <PictureDialog {...opened} onClose={onClose} />;
    case 'output':
      return <WholeDialog {...opened} sessionId={sessionId} onClose={onClose} />;
  }
}
