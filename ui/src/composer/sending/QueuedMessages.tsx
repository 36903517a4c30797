/**
 * Messages that were sent while a reply was running. They are listed until they are sent.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId, QueuedMessage } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { IconButton } from '../../kit/controls/IconButton';
import { useToast } from '../../kit/notifications/Toast';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { useReportError } from '../../state/text/useReportError';
import { excerpt, textOfParts } from '../../state/text/excerpt';
import { useDebounced } from '../../state/hooks/useDebounced';
import './QueuedMessages.css';

/** One turn starts at most this long after another, in ms. */
const handoverMs = 500;

type QueuedMessagesProps = {
  sessionId: SessionId;
  queued: readonly QueuedMessage[];
  running: boolean;
  /** Moves a message into the draft. */
  onEdit: (message: QueuedMessage) => Promise<void>;
};

export function QueuedMessages({ sessionId, queued, running, onEdit }: QueuedMessagesProps) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { commands } = useBackend();
  const actions = useSessionActions(sessionId);
  const count = queued.length;
  const hasUnsent = queued.some(({ forBox }) => !forBox);
  // Between two turns nothing runs for a moment: the messages are not paused then.
  const isIdle = count > 0 && !running;
  const isPaused = (useDebounced(isIdle, handoverMs) && isIdle) || !hasUnsent;
  const state = isPaused ? 'paused' : running ? 'running' : 'sending';
  if (count === 0) return null;
  const remove = async (message: QueuedMessage) => {
    await commands.removeWaiting(sessionId, message.id);
    toast({
      words: text('waiting.removed'),
      undo: () => {
        reportError(commands.restoreWaiting(sessionId, message));
      },
    });
  };
  return (
    <section className="QueuedMessages" aria-label={text('waiting.title')}>
      <div className="QueuedMessages-note">
        <span role="status">{text(`waiting.${state}`, { count })}</span>
        {isPaused && !running && (
          <Button kind="quiet" icon="send" onClick={() => void actions.sendWaiting()}>
            {text('waiting.sendNow')}
          </Button>
        )}
      </div>
      <ol>
        {queued.map((message) => {
          const content = textOfParts(message.parts);
          const start = excerpt(content);
          const attachments = message.parts.filter(({ type }) => type !== 'text').length;
          return (
            <li key={message.id}>
              <span className="QueuedMessages-text" dir="auto">
                {content}
              </span>
              {attachments > 0 && (
                <small>{text('waiting.attachments', { count: attachments })}</small>
              )}
              <IconButton
                label={text('waiting.edit', { start })}
                icon="edit"
                onClick={() => {
                  reportError(onEdit(message));
                }}
              />
              <IconButton
                label={text('waiting.remove', { start })}
                icon="close"
                onClick={() => {
                  reportError(remove(message));
                }}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
