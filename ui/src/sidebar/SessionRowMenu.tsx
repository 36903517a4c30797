/**
 * The menu of a session in the sidebar.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionItem } from '../ipc/bindings';
import { IconButton } from '../kit/controls/IconButton';
import { Menu, MenuItem, MenuSeparator } from '../kit/controls/Menu';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { useDeleteSession } from './useDeleteSession';
import type { MultiSelect } from './multiSelect';
import type { SessionOverlay } from './session/SessionOverlays';

type SessionRowMenuProps = {
  session: SessionItem;
  title: string;
  onRename: () => void;
  onOverlay: (overlay: SessionOverlay) => void;
  onSelect: MultiSelect['select'];
};

export function SessionRowMenu(props: SessionRowMenuProps) {
  const { session, title, onRename, onOverlay, onSelect } = props;
  const text = useText();
  const reportError = useReportError(useToast());
  const deleteSession = useDeleteSession();
  const { commands } = useBackend();
  return (
    <Menu trigger={<IconButton label={text('threads.menu', { title })} icon="more" />}>
      <MenuItem icon="edit" onSelect={onRename}>
        {text('threads.rename')}
      </MenuItem>
      <MenuItem
        icon="pin"
        onSelect={() => {
          reportError(commands.pinSession(session.id, !session.pinned));
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
        icon="external"
        onSelect={() => {
          reportError(commands.openSessionWindow(session.id));
        }}
      >
        {text('threads.openWindow')}
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
          onSelect(session.id, false);
        }}
      >
        {text('threads.select')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon="trash"
        danger
        onSelect={() => {
          deleteSession(session);
        }}
      >
        {text('threads.delete')}
      </MenuItem>
    </Menu>
  );
}
