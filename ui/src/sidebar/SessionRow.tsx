/**
 * A session in the list: opened, named, instructed, pinned, exported, deleted and brought back.
 */
import { memo, useId, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId, SessionItem } from '../ipc/bindings';
import { IconButton } from '../kit/controls/IconButton';
import { Menu, MenuItem, MenuSeparator } from '../kit/controls/Menu';
import { isMac } from '../kit/layers/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { SelectBox } from './SelectBox';
import { useDeleteSession } from './useDeleteSession';
import type { MultiSelect } from './multiSelect';
import { RenameField } from './RenameField';
import type { SessionOverlay } from './session/SessionOverlays';
import './Sidebar.css';

/** What a session that was not looked into since says of itself. */
const unreadReason = ({ ended }: SessionItem) =>
  ended === 'failed' || ended === 'cutOff' ? ended : 'unread';

type SessionRowProps = {
  session: SessionItem;
  open: boolean;
  onOpen: (session: SessionId) => void;
  /** Opens something over the window. */
  onOverlay: (opened: SessionOverlay) => void;
  /** null: nothing is being marked. */
  marked: boolean | null;
  onMark: MultiSelect['mark'];
};

export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, open, onOpen, onOverlay, marked, onMark } = props;
  const text = useText();
  const attempt = useReportError(useToast());
  const remove = useDeleteSession();
  const { commands } = useBackend();
  const [renaming, setRenaming] = useState(false);
  const title = session.name ?? text('threads.untitled');
  const isUnread = session.unread && !open;
  const mark =
    session.activity !== 'idle' ? session.activity : isUnread ? unreadReason(session) : null;
  const words = mark === null ? undefined : text(`threads.${mark}`);
  const markId = useId();
  if (renaming) {
    return (
      <RenameField
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
    <div className="Sidebar-line" data-open={open || undefined} data-unread={isUnread || undefined}>
      {marked !== null && (
        <SelectBox
          label={text('threads.markOf', { title })}
          checked={marked}
          onCheck={(upTo) => {
            onMark(session.id, upTo);
          }}
        />
      )}
      <a
        href={`#${session.id}`}
        dir="auto"
        aria-current={open ? 'page' : undefined}
        aria-describedby={mark === null ? undefined : markId}
        onClick={(event) => {
          event.preventDefault();
          const { shiftKey, metaKey, ctrlKey } = event;
          if (shiftKey || (isMac ? metaKey : ctrlKey)) onMark(session.id, shiftKey);
          else onOpen(session.id);
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
      {mark !== null && (
        <span
          id={markId}
          className="Sidebar-dot"
          data-mark={mark}
          role="img"
          aria-label={words}
          title={words}
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
            onOverlay({ type: 'instruct', session });
          }}
        >
          {text('threads.instructions')}
        </MenuItem>
        <MenuItem
          icon="download"
          onSelect={() => {
            onOverlay({ type: 'export', session });
          }}
        >
          {text('threads.export')}
        </MenuItem>
        <MenuItem
          icon="check"
          onSelect={() => {
            onMark(session.id, false);
          }}
        >
          {text('threads.mark')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon="trash"
          danger
          onSelect={() => {
            remove(session);
          }}
        >
          {text('threads.delete')}
        </MenuItem>
      </Menu>
    </div>
  );
});
