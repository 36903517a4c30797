/**
 * Messages written while a reply was on its way: shown until they are sent, and never sent in secret.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Draft, SessionId, Waiting } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { IconButton } from '../kit/IconButton';
import { useToast } from '../kit/Toast';
import { useActions } from '../state/actions';
import { useAttempting } from '../state/attempt';
import { startOf, textOf } from '../state/excerpt';
import { useRested } from '../state/rested';
import { draftOf, joined } from './draft';
import './WaitingList.css';

/** How long one turn may take to hand over to the next, in ms. */
const handing = 500;

type WaitingListProps = {
  sessionId: SessionId;
  waiting: readonly Waiting[];
  running: boolean;
  /** What is written in the box: one that is taken back joins it. */
  draft: Draft;
  onKeep: (draft: Draft) => Promise<void>;
  onTakenBack: () => void;
};

export function WaitingList(props: WaitingListProps) {
  const { sessionId, waiting, running, draft, onKeep, onTakenBack } = props;
  const text = useText();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const { commands } = useBackend();
  const actions = useActions(sessionId);
  const count = waiting.length;
  // What is handed from one turn to the next is on its way, not held.
  const stays = count > 0 && !running;
  const held = useRested(stays, handing) && stays;
  if (count === 0) return null;
  const remove = async ({ id, parts }: Waiting) => {
    await commands.removeWaiting(sessionId, id);
    toast({
      words: text('waiting.removed'),
      undo: () => {
        attempt(commands.waitBehind(sessionId, { parts }));
      },
    });
  };
  /** It is in the box before it leaves the list: at no moment is it in neither. */
  const takeBack = async ({ id, parts }: Waiting) => {
    await onKeep(joined(draftOf(parts), draft));
    try {
      await commands.removeWaiting(sessionId, id);
    } catch (thrown) {
      await onKeep(draft);
      throw thrown;
    }
    onTakenBack();
  };
  return (
    <section className="Waiting" aria-label={text('waiting.title')}>
      <div className="Waiting-note">
        <span role="status">
          {text(`waiting.${running ? 'running' : held ? 'held' : 'sending'}`, { count })}
        </span>
        {held && (
          <Button kind="quiet" icon="send" onClick={() => void actions.sendWaiting()}>
            {text('waiting.sendNow')}
          </Button>
        )}
      </div>
      <ol>
        {waiting.map((message) => {
          const words = textOf(message.parts);
          const start = startOf(words);
          const attachments = message.parts.filter(({ type }) => type !== 'text').length;
          return (
            <li key={message.id}>
              <span className="Waiting-words">{words}</span>
              {attachments > 0 && (
                <small>{text('waiting.attachments', { count: attachments })}</small>
              )}
              <IconButton
                label={text('waiting.edit', { start })}
                icon="edit"
                onClick={() => {
                  attempt(takeBack(message));
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
