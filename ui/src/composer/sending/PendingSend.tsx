/**
 * A message that has left the box and waits for what is still read for it.
 */
import { useText } from '../../i18n';
import type { Draft } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import './QueuedMessages.css';

export function PendingSend({ message, onBack }: { message: Draft; onBack: () => void }) {
  const text = useText();
  const count = message.attachments.length;
  return (
    <section className="Waiting" aria-label={text('attach.leaving')}>
      <div className="Waiting-note">
        <span role="status">{text('attach.due')}</span>
        <Button kind="quiet" icon="edit" onClick={onBack}>
          {text('attach.notYet')}
        </Button>
      </div>
      <p className="Waiting-words" dir="auto">
        {message.text}
      </p>
      {count > 0 && <small>{text('waiting.attachments', { count })}</small>}
    </section>
  );
}
