/**
 * A session in the list: opened, named, instructed, pinned, exported, deleted and brought back.
 */
import { memo, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId, SessionItem } from '../ipc/bindings';
import { IconButton } from '../kit/IconButton';
import { Menu, MenuItem, MenuLine } from '../kit/Menu';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { Rename } from './Rename';
import type { Opened } from './SessionOver';
import './Sidebar.css';

type SessionLineProps = {
  session: SessionItem;
  open: boolean;
  onOpen: (session: SessionId) => void;
  /** Opens something over the window. */
  onOver: (opened: Opened) => void;
};

export const SessionLine = memo(function SessionLine(props: SessionLineProps) {
  const { session, open, onOpen, onOver } = props;
  const text = useText();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const { commands } = useBackend();
  const [renaming, setRenaming] = useState(false);
  const title = session.name ?? text('threads.untitled');
  const activity = session.activity === 'idle' ? undefined : text(`threads.${session.activity}`);
  const remove = async () => {
    await commands.deleteSession(session.id);
    toast({
      words: text('threads.deleted', { title }),
      undo: () => {
        attempt(commands.restoreSession(session.id));
      },
    });
  };
  if (renaming) {
    return (
      <Rename
        title={session.title}
        shown={title}
        onDone={(name) => {
          setRenaming(false);
          if (name !== null) attempt(commands.renameSession(session.id, name));
        }}
      />
    );
  }
  return (
    <div className="Sidebar-line" data-open={open || undefined}>
      <a
        href={`#${session.id}`}
        dir="auto"
        aria-current={open ? 'page' : undefined}
        onClick={(event) => {
          event.preventDefault();
          onOpen(session.id);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'F2') return;
          // Of the whole window it is the key of the open session.
          event.preventDefault();
          setRenaming(true);
        }}
      >
        {title}
      </a>
      {activity !== undefined && (
        <span
          className="Sidebar-dot"
          data-activity={session.activity}
          role="img"
          aria-label={activity}
          title={activity}
        />
      )}
      <Menu trigger={<IconButton label={text('threads.menu', { title })} icon="more" />}>
        <MenuItem
          icon="edit"
          onSelect={() => {
            setRenaming(true);
          }}
        >
          {text('threads.rename')}
        </MenuItem>
        <MenuItem
          icon="pin"
          onSelect={() => {
            attempt(commands.pinSession(session.id, !session.pinned));
          }}
        >
          {text(session.pinned ? 'threads.unpin' : 'threads.pin')}
        </MenuItem>
        <MenuItem
          icon="book"
          onSelect={() => {
            onOver({ type: 'instruct', session });
          }}
        >
          {text('threads.instructions')}
        </MenuItem>
        <MenuItem
          icon="download"
          onSelect={() => {
            onOver({ type: 'export', session });
          }}
        >
          {text('threads.export')}
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon="trash"
          danger
          onSelect={() => {
            attempt(remove());
          }}
        >
          {text('threads.delete')}
        </MenuItem>
      </Menu>
    </div>
  );
});
