/**
 * A message: what was said, what it can be asked to do, and how it ended.
 */
import { useId } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { useAnnounce } from '../kit/Announcer';
import { CopyButton } from '../kit/CopyButton';
import { IconButton } from '../kit/IconButton';
import { useToast } from '../kit/Toast';
import { useActions } from '../state/actions';
import { useAttempting } from '../state/attempt';
import { speaker } from '../state/speaker';
import { useTurn } from '../state/turn';
import { useCopying } from './copying';
import { EditMessage } from './EditMessage';
import { Ending } from './Ending';
import { Growing } from './Growing';
import type { ItemProps } from './Item';
import { Later } from './Later';
import { LeftOut } from './LeftOut';
import { MessageMenu } from './MessageMenu';
import { Parts } from './Parts';
import { hasWords } from './plainText';
import { isWordless } from './Unfinished';
import { UnstoredReply } from './UnstoredReply';
import { UsageLine } from './UsageLine';
import { When } from './When';
import { WrittenBy } from './WrittenBy';

export function MessageView(props: ItemProps) {
  const { item, sessionId, readOnly, last, editing, isBack, onEditing, onProvider } = props;
  const text = useText();
  const { message } = item;
  const line = useId();
  const leftOut = message.inclusion === 'leftOut';
  const actions = useActions(sessionId);
  const person = message.role === 'user';
  const streaming = message.state.type === 'streaming';
  // What the turn waits for instead of the model is said below the transcript.
  const asking = useTurn(sessionId, (turn) => turn.waiting.type !== 'retry');
  return (
    <article
      className="Message"
      aria-label={speaker(text, message)}
      aria-busy={streaming || undefined}
      data-person={person || undefined}
      data-covered={item.coveredBy !== null || undefined}
      data-last={last || undefined}
      data-inclusion={message.inclusion}
      aria-describedby={leftOut ? line : undefined}
    >
      {leftOut && (
        <LeftOut {...{ message, readOnly }} covered={item.coveredBy !== null} id={line} />
      )}
      {editing ? (
        <EditMessage
          edited={{ message, sessionId, readOnly, isBack }}
          onSave={(edited) => actions.resend(message.id, edited)}
          onClose={() => {
            onEditing((now) => (now === message.id ? null : now));
          }}
        />
      ) : (
        <Parts message={message} sessionId={sessionId} />
      )}
      {streaming && asking && <Growing message={message} />}
      <Ending
        {...{ message, sessionId, onProvider }}
        last={last && !readOnly && !leftOut && item.unstored === null}
        onContinue={isWordless(message) ? () => actions.regenerate(message.id) : actions.goOn}
      />
      {item.unstored && <UnstoredReply message={message} fault={item.unstored} />}
      {last && item.later !== null && <Later message={item.later} sessionId={sessionId} />}
      {!streaming && !editing && (
        <MessageActions
          {...{ item, sessionId, readOnly, last }}
          onEdit={() => {
            onEditing(message.id);
          }}
        />
      )}
    </article>
  );
}

type MessageActionsProps = Pick<ItemProps, 'item' | 'sessionId' | 'readOnly' | 'last'> & {
  onEdit: () => void;
};

function MessageActions({ item, sessionId, readOnly, last, onEdit }: MessageActionsProps) {
  const text = useText();
  const { commands } = useBackend();
  const copy = useCopying();
  const actions = useActions(sessionId);
  const { message, siblings } = item;
  const attempt = useAttempting(useToast());
  const announce = useAnnounce();
  const toBranch = async (id: number) => {
    await commands.switchBranch(id);
    const [at, count] = [siblings.indexOf(id) + 1, siblings.length];
    announce(text('transcript.version', { at, count }));
  };
  return (
    <div className="Message-actions">
      <Branches
        at={message.id}
        siblings={siblings}
        onSwitch={(id) => {
          attempt(toBranch(id));
        }}
      />
      {hasWords(message) && (
        <CopyButton label={text('transcript.copy')} copy={() => copy(message)} />
      )}
      {!readOnly && message.role === 'user' && (
        <IconButton label={text('transcript.edit')} icon="edit" data-opens onClick={onEdit} />
      )}
      {!readOnly && message.role === 'assistant' && (
        <IconButton
          label={text('transcript.regenerate')}
          icon="refresh"
          onClick={() => {
            attempt(actions.regenerate(message.id));
          }}
        />
      )}
      {!readOnly && <MessageMenu {...{ message, last }} />}
      <When at={message.createdAt} />
      {message.role === 'assistant' && message.model && <WrittenBy model={message.model} />}
      {item.generation && <UsageLine generation={item.generation} />}
    </div>
  );
}

type BranchesProps = { at: number; siblings: readonly number[]; onSwitch: (id: number) => void };

/** Steps between the alternatives of a message. */
function Branches({ at, siblings, onSwitch }: BranchesProps) {
  const text = useText();
  const here = siblings.indexOf(at);
  if (siblings.length < 2) return null;
  const before = siblings[here - 1];
  const after = siblings[here + 1];
  return (
    <>
      <IconButton
        label={text('transcript.previousBranch')}
        icon="chevron-left"
        disabled={before === undefined}
        onClick={() => {
          if (before !== undefined) onSwitch(before);
        }}
      />
      <span>{`${here + 1} / ${siblings.length}`}</span>
      <IconButton
        label={text('transcript.nextBranch')}
        icon="chevron-right"
        disabled={after === undefined}
        onClick={() => {
          if (after !== undefined) onSwitch(after);
        }}
      />
    </>
  );
}
