/**
 * "What the model saw": the request that a reply answered.
 */
import { useText } from '../i18n';
import type { MessageId, SessionId } from '../ipc/bindings';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { Dialog } from '../kit/overlays/Dialog';
import { SentRequest } from './PromptPreview';
import './ContextDialog.css';

type SentRequestDialogProps = { sessionId: SessionId; reply: MessageId; onClose: () => void };

export function SentRequestDialog({ sessionId, reply, onClose }: SentRequestDialogProps) {
  const text = useText();
  return (
    <Dialog title={text('transcript.seenThen')} onClose={onClose} size="wide">
      <ErrorBoundary holds={text('transcript.seenThen')}>
        <SentRequest {...{ sessionId, reply }} />
      </ErrorBoundary>
    </Dialog>
  );
}
