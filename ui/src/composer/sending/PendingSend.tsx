/**
 * A sent message that waits for its attachments to be read.
 */
import { useText } from '../../i18n';
import type { Draft } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import './QueuedMessages.css';

export function PendingSend({ message, onCancel }: { message: Draft; onCancel: () => void }) {
  const text = useText();
  const count = message.attachments.length;
  return (
    <section className="QueuedMessages" aria-label={text('attach.pendingMessage')}>
      <div className="QueuedMessages-note">
        <span role="status">{text('attach.waitingForAttachments')}</span>
        <Button kind="quiet" icon="edit" onClick={onCancel}>
          {text('attach.cancelSend')}
        </Button>
      </div>
      <p className="QueuedMessages-text" dir="auto">
        {message.text}
      </p>
      {count > 0 && <small>{text('waiting.attachments', { count })}</small>}
    </section>
  );
}
