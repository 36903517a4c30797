/**
 * The dialog for a part of a message (viewerContext.ts).
 */
import { AttachmentViewer } from '../../attachments/AttachmentViewer';
import { ImageDialog } from '../../attachments/ImageDialog';
import { useText } from '../../i18n';
import type { SessionId } from '../../ipc/bindings';
import { LazyDialog } from '../../kit/overlays/LazyDialog';
import { RegenerateDialog } from './RegenerateDialog';
import type { ViewerContent } from '../state/viewerContext';
import { ToolOutputDialog } from './ToolOutputDialog';

/** Requests and summaries are shown by the feature of the context. */
type MessagePart = Exclude<ViewerContent, { type: 'request' | 'summarise' }>;

type ViewerDialogProps = { opened: MessagePart; sessionId: SessionId; onClose: () => void };

export function ViewerDialog({ opened, sessionId, onClose }: ViewerDialogProps) {
  const text = useText();
  switch (opened.type) {
    case 'attachment':
      return <AttachmentViewer part={opened.part} onClose={onClose} />;
    case 'picture':
      return <ImageDialog {...opened} onClose={onClose} />;
    case 'output':
      return (
        <LazyDialog
          title={text('tools.whole', { tool: opened.tool })}
          size="full"
          onClose={onClose}
        >
          <ToolOutputDialog {...opened} sessionId={sessionId} onClose={onClose} />
        </LazyDialog>
      );
    case 'anew':
      return <RegenerateDialog {...opened} sessionId={sessionId} onClose={onClose} />;
  }
}
