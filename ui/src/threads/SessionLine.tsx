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
import { ExportDialog } from './ExportDialog';
import { InstructionsDialog } from './InstructionsDialog';
import { Rename } from './Rename';
import './Sidebar.css';

type SessionLineProps = {
  session: SessionItem;
  open: boolean;
  onOpen: (session: SessionId) => void;
};

export const SessionLine = memo(function SessionLine({ session, open, onOpen }: SessionLineProps) {
  const text = useText();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const { commands } = useBackend();
  const [doing, setDoing] = useState<'rename' | 'instruct' | 'export' | null>(null);
  const done = () => {
    setDoing(null);
  };
  const title = session.title ?? text('threads.untitled');
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
  if (doing === 'rename') {
    return (
      <Rename
        title={session.title}
        onDone={(name) => {
          done();
          if (name !== null) attempt(commands.renameSession(session.id, name));
        }}
      />
    );
  }
  return (
    <div className="Sidebar-line" data-open={open || undefined}>
      <a
        href={`#${session.id}`}
        aria-current={open ? 'page' : undefined}
        onClick={(event) => {
          event.preventDefault();
          onOpen(session.id);
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
            setDoing('rename');
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
            setDoing('instruct');
          }}
        >
          {text('threads.instructions')}
        </MenuItem>
        <MenuItem
          icon="download"
          onSelect={() => {
            setDoing('export');
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
      {doing === 'instruct' && <InstructionsDialog sessionId={session.id} onClose={done} />}
      {doing === 'export' && (
        <ExportDialog sessionId={session.id} title={session.title} onClose={done} />
      )}
    </div>
  );
});
