/**
 * What a message can be asked to do beside being copied, edited and answered anew.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Message } from '../ipc/bindings';
import { IconButton } from '../kit/IconButton';
import { Menu, MenuItem } from '../kit/Menu';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { useInclusion } from './inclusion';

type MessageMenuProps = { message: Message; last: boolean };

export function MessageMenu({ message, last }: MessageMenuProps) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const attempt = useAttempting(toast);
  const remove = async () => {
    const deletion = await commands.deleteMessage(message.id);
    toast({
      words: text('transcript.deleted'),
      undo: () => {
        attempt(commands.restoreMessage(deletion));
      },
    });
  };
  const continueFrom = async () => {
    const end = await commands.continueFrom(message.id);
    if (end === null) return;
    toast({
      words: text('transcript.continuesHere'),
      undo: () => {
        attempt(commands.continueFrom(end));
      },
    });
  };
  return (
    <Menu trigger={<IconButton label={text('transcript.more')} icon="more" />}>
      <InContext {...{ message, last }} />
      {!last && (
        <MenuItem
          icon="play"
          onSelect={() => {
            attempt(continueFrom());
          }}
        >
          {text('transcript.continueFrom')}
        </MenuItem>
      )}
      <MenuItem
        icon="trash"
        danger
        onSelect={() => {
          attempt(remove());
        }}
      >
        {text('transcript.delete')}
      </MenuItem>
    </Menu>
  );
}

/** Pinned or left out, and from either back to neither first. What waits for its answer stays. */
function InContext({ message, last }: MessageMenuProps) {
  const text = useText();
  const include = useInclusion(message.id);
  switch (message.inclusion) {
    case 'pinned':
      return (
        <MenuItem
          icon="pin"
          onSelect={() => {
            include('usual');
          }}
        >
          {text('transcript.unpin')}
        </MenuItem>
      );
    case 'leftOut':
      return (
        <MenuItem
          icon="eye"
          onSelect={() => {
            include('usual');
          }}
        >
          {text('transcript.takeIn')}
        </MenuItem>
      );
    case 'usual':
      return (
        <>
          <MenuItem
            icon="pin"
            onSelect={() => {
              include('pinned');
            }}
          >
            {text('transcript.pin')}
          </MenuItem>
          {!(last && message.role === 'user') && (
            <MenuItem
              icon="eye-off"
              onSelect={() => {
                include('leftOut');
              }}
            >
              {text('transcript.leaveOut')}
            </MenuItem>
          )}
        </>
      );
  }
}
