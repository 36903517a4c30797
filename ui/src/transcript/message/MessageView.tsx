/**
 * A message: its content, its actions and its status.
 */
import { useId } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import { useAnnounce } from '../../kit/notifications/LiveRegion';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { IconButton } from '../../kit/controls/IconButton';
import { useToast } from '../../kit/notifications/Toast';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { useReportError } from '../../state/text/useReportError';
import { authorLabel } from '../../state/text/authorLabel';
import { useTurn } from '../../state/turn/turnStore';
import { useCopyMessage } from '../state/useCopyMessage';
import { EditMessage } from '../edit/EditMessage';
import { MessageStatus } from '../status/MessageStatus';
import { StreamingCursor } from './StreamingCursor';
import type { TranscriptRowProps } from '../state/transcriptRowProps';
import { OtherBranchLink } from './OtherBranchLink';
import { ExcludedBanner } from './ExcludedBanner';
import { MessageMenu } from './MessageMenu';
import { MessageParts } from './MessageParts';
import { hasText } from '../state/messageText';
import { isEmptyReply } from '../status/ResumePrompt';
import { UnstoredReply } from './UnstoredReply';
import { UsageLine } from './UsageLine';
import { Timestamp } from './Timestamp';
import { ModelLabel } from './ModelLabel';

export function MessageView(props: TranscriptRowProps) {
  const { item, sessionId, readOnly, last, editing, isRestored, onEditing, onProvider } = props;
  const text = useText();
  const { message } = item;
  const line = useId();
  const leftOut = message.inclusion === 'leftOut';
  const actions = useSessionActions(sessionId);
  const person = message.role === 'user';
  const streaming = message.state.type === 'streaming';
  // A turn that waits for something else than the model shows that below the transcript.
  const asking = useTurn(sessionId, (turn) => turn.waiting.type !== 'retry');
  return (
    <article
      className="Message"
      aria-label={authorLabel(text, message)}
      aria-busy={streaming || undefined}
      data-person={person || undefined}
      data-covered={item.coveredBy !== null || undefined}
      data-last={last || undefined}
      data-inclusion={message.inclusion}
      aria-describedby={leftOut ? line : undefined}
    >
      {leftOut && (
        <ExcludedBanner {...{ message, readOnly }} covered={item.coveredBy !== null} id={line} />
      )}
      {editing ? (
        <EditMessage
          edited={{ message, sessionId, readOnly, isRestored: isRestored }}
          onSave={(edited) => actions.resend(message.id, edited)}
          onClose={() => {
            onEditing((now) => (now === message.id ? null : now));
          }}
        />
      ) : (
        <MessageParts message={message} sessionId={sessionId} />
      )}
      {streaming && asking && <StreamingCursor message={message} />}
      <MessageStatus
        {...{ message, sessionId, onProvider }}
        last={last && !readOnly && !leftOut && item.unstored === null}
        onContinue={isEmptyReply(message) ? () => actions.regenerate(message.id) : actions.goOn}
      />
      {item.unstored && <UnstoredReply message={message} fault={item.unstored} />}
      {last && item.later !== null && (
        <OtherBranchLink message={item.later} sessionId={sessionId} />
      )}
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

type MessageActionsProps = Pick<TranscriptRowProps, 'item' | 'sessionId' | 'readOnly' | 'last'> & {
  onEdit: () => void;
};

function MessageActions({ item, sessionId, readOnly, last, onEdit }: MessageActionsProps) {
  const text = useText();
  const { commands } = useBackend();
  const copy = useCopyMessage();
  const actions = useSessionActions(sessionId);
  const { message, siblings } = item;
  const reportError = useReportError(useToast());
  const announce = useAnnounce();
  const toBranch = async (id: number) => {
    await commands.switchBranch(id);
    const [at, count] = [siblings.indexOf(id) + 1, siblings.length];
    announce(text('transcript.version', { at, count }));
  };
  return (
    <div className="Message-actions">
      <BranchSwitcher
        at={message.id}
        siblings={siblings}
        onSwitch={(id) => {
          reportError(toBranch(id));
        }}
      />
      {hasText(message) && (
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
            reportError(actions.regenerate(message.id));
          }}
        />
      )}
      {!readOnly && <MessageMenu {...{ message, last }} covered={item.coveredBy !== null} />}
      <Timestamp at={message.createdAt} />
      {message.role === 'assistant' && message.model && <ModelLabel model={message.model} />}
      {item.generation && (
        <UsageLine
          generation={item.generation}
          cost={item.cost ?? null}
          cacheMiss={item.cacheMiss ?? null}
        />
      )}
    </div>
  );
}

type BranchSwitcherProps = {
  at: number;
  siblings: readonly number[];
  onSwitch: (id: number) => void;
};

/** Switches between the versions of a message. */
function BranchSwitcher({ at, siblings, onSwitch }: BranchSwitcherProps) {
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
