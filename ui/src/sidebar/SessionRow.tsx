/**
 * A session in the sidebar: a link that opens it, a mark for its state, and its menu.
 */
import { memo, useId, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId, SessionItem } from '../ipc/bindings';
import { isMac } from '../kit/keyboard/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { SelectBox } from './SelectBox';
import type { MultiSelect } from './multiSelect';
import { RenameField } from './RenameField';
import { SessionRowMenu } from './SessionRowMenu';
import type { SessionOverlay } from './session/SessionOverlays';
import './Sidebar.css';

/** The mark of a session that changed since the user last opened it. */
const unreadStatus = ({ ended }: SessionItem) =>
  ended === 'failed' || ended === 'cutOff' ? ended : 'unread';

type SessionRowProps = {
  session: SessionItem;
  open: boolean;
  onOpen: (session: SessionId) => void;
  /** Opens a dialog about the session. */
  onOverlay: (overlay: SessionOverlay) => void;
  /** null: no session is selected, and there are no checkboxes. */
  selected: boolean | null;
  onSelect: MultiSelect['select'];
};

export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, open, onOpen, onOverlay, selected, onSelect } = props;
  const text = useText();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const [renaming, setRenaming] = useState(false);
  const title = session.name ?? text('threads.untitled');
  const isUnread = session.unread && !open;
  const status =
    session.activity !== 'idle' ? session.activity : isUnread ? unreadStatus(session) : null;
  const statusLabel = status === null ? undefined : text(`threads.${status}`);
  const statusId = useId();
  const onRename = () => {
    setRenaming(true);
  };
  if (renaming) {
    return (
      <RenameField
        title={session.title}
        shown={title}
        onDone={(name) => {
          setRenaming(false);
          if (name !== null) reportError(commands.renameSession(session.id, name));
        }}
      />
    );
  }
  return (
    <div className="Sidebar-line" data-open={open || undefined} data-unread={isUnread || undefined}>
      {selected !== null && (
        <SelectBox
          label={text('threads.selectSession', { title })}
          checked={selected}
          onCheck={(upTo) => {
            onSelect(session.id, upTo);
          }}
        />
      )}
      <a
        href={`#${session.id}`}
        dir="auto"
        aria-current={open ? 'page' : undefined}
        aria-describedby={status === null ? undefined : statusId}
        onClick={(event) => {
          event.preventDefault();
          const { shiftKey, metaKey, ctrlKey } = event;
          if (shiftKey || (isMac ? metaKey : ctrlKey)) onSelect(session.id, shiftKey);
          else onOpen(session.id);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'F2') return;
          // Elsewhere in the app window F2 renames the open session.
          event.preventDefault();
          onRename();
        }}
      >
        {title}
      </a>
      {status !== null && (
        <span
          id={statusId}
          className="Sidebar-dot"
          data-mark={status}
          role="img"
          aria-label={statusLabel}
          title={statusLabel}
        />
      )}
      <SessionRowMenu {...{ session, title, onRename, onOverlay, onSelect }} />
    </div>
  );
});
