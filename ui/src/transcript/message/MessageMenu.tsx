/** The menu of a message, with the actions that have no button. */
import { use } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Inclusion, Message } from '../../ipc/bindings';
import type { IconName } from '../../kit/controls/Icon';
import { IconButton } from '../../kit/controls/IconButton';
import { Menu, MenuItem } from '../../kit/controls/Menu';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { branchToastId } from '../../state/text/toastIds';
import { useNavigateToSession } from '../../state/app/sessionNavigation';
import { useSetInclusion } from '../state/useSetInclusion';
import { ViewerContext } from '../state/viewerContext';
import { restoreEdit, discardEdit } from '../edit/editDrafts';

type MessageMenuProps = {
  message: Message;
  last: boolean;
  /** True if a summary stands for the message already. */
  covered: boolean;
};

export function MessageMenu({ message, last, covered }: MessageMenuProps) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const reportError = useReportError(toast);
  const open = use(ViewerContext);
  const toSession = useNavigateToSession();
  const remove = async () => {
    const deletion = await commands.deleteMessage(message.id);
    const left = discardEdit(message.id);
    const restore = async () => {
      await commands.restoreMessage(deletion);
      if (left) restoreEdit(left);
    };
    toast({
      words: text('transcript.deleted'),
      undo: () => {
        reportError(restore());
      },
    });
  };
  const fork = async () => {
    toSession(await commands.fork(message.id));
    toast({ words: text('transcript.forked') });
  };
  const continueFrom = async () => {
    const end = await commands.continueFrom(message.id);
    if (end === null) return;
    toast({
      words: text('transcript.continuesHere'),
      of: branchToastId(message.threadId),
      undo: () => {
        reportError(commands.continueFrom(end));
      },
    });
  };
  return (
    <Menu trigger={<IconButton label={text('transcript.more')} icon="more" />}>
      {message.role === 'assistant' && (
        <MenuItem
          icon="refresh"
          onSelect={() => {
            open({ type: 'anew', answer: message.id, by: message.model });
          }}
        >
          {text('transcript.regenerateWith')}
        </MenuItem>
      )}
      {message.role === 'assistant' && (
        <MenuItem
          icon="eye"
          onSelect={() => {
            open({ type: 'request', reply: message.id });
          }}
        >
          {text('transcript.seenThen')}
        </MenuItem>
      )}
      <InclusionMenuItems {...{ message, last }} />
      {!covered &&
        (['upTo', 'from'] as const).map((type) => (
          <MenuItem
            key={type}
            icon="compress"
            onSelect={() => {
              open({ type: 'summarise', range: { type, messageId: message.id } });
            }}
          >
            {text(`transcript.range_${type}`)}
          </MenuItem>
        ))}
      {!last && (
        <MenuItem
          icon="play"
          onSelect={() => {
            reportError(continueFrom());
          }}
        >
          {text('transcript.continueFrom')}
        </MenuItem>
      )}
      <MenuItem
        icon="fork"
        onSelect={() => {
          reportError(fork());
        }}
      >
        {text('transcript.fork')}
      </MenuItem>
      <MenuItem
        icon="trash"
        danger
        onSelect={() => {
          reportError(remove());
        }}
      >
        {text('transcript.delete')}
      </MenuItem>
    </Menu>
  );
}

type InclusionChoice = {
  to: Inclusion;
  icon: IconName;
  words: 'pin' | 'unpin' | 'leaveOut' | 'takeIn';
};

/** Pins, excludes, or resets the message to the default. */
const inclusionChoices: Record<Inclusion, readonly InclusionChoice[]> = {
  pinned: [{ to: 'usual', icon: 'pin', words: 'unpin' }],
  leftOut: [{ to: 'usual', icon: 'eye', words: 'takeIn' }],
  usual: [
    { to: 'pinned', icon: 'pin', words: 'pin' },
    { to: 'leftOut', icon: 'eye-off', words: 'leaveOut' },
  ],
};

function InclusionMenuItems({ message, last }: Omit<MessageMenuProps, 'covered'>) {
  const text = useText();
  const include = useSetInclusion(message.id);
  // A message with an open approval request cannot be deleted.
  const waits = last && message.role === 'user';
  return inclusionChoices[message.inclusion]
    .filter(({ to }) => !(waits && to === 'leftOut'))
    .map(({ to, icon, words }) => (
      <MenuItem
        key={words}
        icon={icon}
        onSelect={() => {
          include(to);
        }}
      >
        {text(`transcript.${words}`)}
      </MenuItem>
    ));
}
