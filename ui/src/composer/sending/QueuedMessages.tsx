/**
 * Messages written while a reply was on its way: shown until they are sent, and never sent in secret.
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

/** How long one turn may take to hand over to the next, in ms. */
const handoverMs = 500;

type QueuedMessagesProps = {
  sessionId: SessionId;
  waiting: readonly QueuedMessage[];
  running: boolean;
  /** Has one join what is written in the box. */
  onTakeBack: (message: QueuedMessage) => Promise<void>;
};

export function QueuedMessages({ sessionId, waiting, running, onTakeBack }: QueuedMessagesProps) {
  const text = useText();
  const toast = useToast();
  const attempt = useReportError(toast);
  const { commands } = useBackend();
  const actions = useSessionActions(sessionId);
  const count = waiting.length;
  // What is handed from one turn to the next is on its way, not held.
  const queued = waiting.some(({ forBox }) => !forBox);
  const stays = count > 0 && !running;
  const held = (useDebounced(stays, handoverMs) && stays) || !queued;
  if (count === 0) return null;
  const remove = async (message: QueuedMessage) => {
    await commands.removeWaiting(sessionId, message.id);
    toast({
      words: text('waiting.removed'),
      undo: () => {
        attempt(commands.restoreWaiting(sessionId, message));
      },
    });
  };
  return (
    <section className="Waiting" aria-label={text('waiting.title')}>
      <div className="Waiting-note">
        <span role="status">
          {text(`waiting.${held ? 'held' : running ? 'running' : 'sending'}`, { count })}
        </span>
        {held && !running && (
          <Button kind="quiet" icon="send" onClick={() => void actions.sendWaiting()}>
            {text('waiting.sendNow')}
          </Button>
        )}
      </div>
      <ol>
        {waiting.map((message) => {
          const words = textOfParts(message.parts);
          const start = excerpt(words);
          const attachments = message.parts.filter(({ type }) => type !== 'text').length;
          return (
            <li key={message.id}>
              <span className="Waiting-words" dir="auto">
                {words}
              </span>
              {attachments > 0 && (
                <small>{text('waiting.attachments', { count: attachments })}</small>
              )}
              <IconButton
                label={text('waiting.edit', { start })}
                icon="edit"
                onClick={() => {
                  attempt(onTakeBack(message));
                }}
              />
              <IconButton
                label={text('waiting.remove', { start })}
                icon="close"
                onClick={() => {
                  attempt(remove(message));
                }}
              />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
