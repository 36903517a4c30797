/**
 * The sessions: found, opened, named, pinned, deleted and brought back.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Hit, SessionId, SessionItem } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { IconButton } from '../kit/IconButton';
import { Menu, MenuItem, MenuLine } from '../kit/Menu';
import { SearchBox } from '../kit/SearchBox';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { useSessions } from '../state/reading';
import { ExportDialog } from './ExportDialog';
import { InstructionsDialog } from './InstructionsDialog';
import { Hits } from './Hits';
import { Rename } from './Rename';
import './Sidebar.css';

type SidebarProps = {
  open: SessionId | null;
  onOpen: (session: SessionId) => void;
  onNew: () => void;
  onHit: (hit: Hit) => void;
  onSettings: () => void;
};

export function Sidebar({ open, onOpen, onNew, onHit, onSettings }: SidebarProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const { data: sessions = [] } = useSessions();
  return (
    <div className="Sidebar">
      <Button icon="add" onClick={onNew}>
        {text('threads.newSession')}
      </Button>
      <SearchBox label={text('threads.search')} value={query} onChange={setQuery} />
      {query.trim() === '' ? (
        <ul className="Sidebar-list">
          {sessions.map((session) => (
            <SessionLine
              key={session.id}
              session={session}
              open={session.id === open}
              onOpen={onOpen}
            />
          ))}
        </ul>
      ) : (
        <Hits query={query} onHit={onHit} />
      )}
      <Button kind="quiet" icon="settings" onClick={onSettings}>
        {text('settings.settings')}
      </Button>
    </div>
  );
}

type SessionLineProps = {
  session: SessionItem;
  open: boolean;
  onOpen: (session: SessionId) => void;
};

function SessionLine({ session, open, onOpen }: SessionLineProps) {
  const text = useText();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const { commands } = useBackend();
  const [renaming, setRenaming] = useState(false);
  const [instructing, setInstructing] = useState(false);
  const [exporting, setExporting] = useState(false);
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
  if (renaming) {
    return (
      <li>
        <Rename
          title={title}
          onDone={(name) => {
            setRenaming(false);
            if (name !== null) attempt(commands.renameSession(session.id, name));
          }}
        />
      </li>
    );
  }
  return (
    <li className="Sidebar-line" data-open={open || undefined}>
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
      {activity !== undefined && <span className="Sidebar-dot" role="img" aria-label={activity} />}
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
            setInstructing(true);
          }}
        >
          {text('threads.instructions')}
        </MenuItem>
        <MenuItem
          icon="download"
          onSelect={() => {
            setExporting(true);
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
      {instructing && (
        <InstructionsDialog
          sessionId={session.id}
          onClose={() => {
            setInstructing(false);
          }}
        />
      )}
      {exporting && (
        <ExportDialog
          sessionId={session.id}
          title={session.title}
          onClose={() => {
            setExporting(false);
          }}
        />
      )}
    </li>
  );
}
