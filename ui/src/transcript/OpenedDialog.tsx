/**
 * What was opened from a message, over the window.
 */
import { AttachmentViewer } from '../attachments/AttachmentViewer';
import { PictureDialog } from '../attachments/PictureDialog';
import { useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { Opening } from '../kit/Opening';
import { AnewDialog } from './AnewDialog';
import type { Opened } from './opened';
import { WholeDialog } from './WholeDialog';

type OpenedDialogProps = { opened: Opened; sessionId: SessionId; onClose: () => void };

export function OpenedDialog({ opened, sessionId, onClose }: OpenedDialogProps) {
  const text = useText();
  switch (opened.type) {
    case 'attachment':
      return <AttachmentViewer part={opened.part} onClose={onClose} />;
    case 'picture':
      return <PictureDialog {...opened} onClose={onClose} />;
    case 'output':
      return (
        <Opening title={text('tools.whole', { tool: opened.tool })} size="full" onClose={onClose}>
          <WholeDialog {...opened} sessionId={sessionId} onClose={onClose} />
        </Opening>
      );
    case 'anew':
      return <AnewDialog {...opened} sessionId={sessionId} onClose={onClose} />;
  }
}
