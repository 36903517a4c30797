/**
 * The three columns of the app window: sessions, conversation, and a panel beside it. In a narrow
 * window a column becomes a drawer over the conversation. The content of the columns is not known
 * here.
 */
import { type ReactNode } from 'react';
import { useText } from '../../i18n';
import { Drawer } from '../../kit/overlays/Drawer';
import { IconButton } from '../../kit/controls/IconButton';
import { topOverlay, useOverlay } from '../../kit/layers/overlayStack';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import './Layout.css';

type LayoutProps = {
  /** null: the window has none. */
  sidebar: ReactNode;
  /** The sessions cover the conversation instead of standing beside it. */
  narrow: boolean;
  sidebarOpen: boolean;
  onSidebar: (open: boolean) => void;
  conversation: ReactNode;
  panel: SidePanel | null;
};

type SidePanel = {
  name: string;
  /** The panel covers the conversation instead of standing beside it. */
  overlaps: boolean;
  onClose: () => void;
  content: ReactNode;
};

export function Layout(props: LayoutProps) {
  const { sidebar, narrow, sidebarOpen, onSidebar, conversation, panel } = props;
  const text = useText();
  const sessions = (
    <nav className="Layout-side" aria-label={text('threads.sessions')}>
      {sidebar}
    </nav>
  );
  return (
    <div className="Layout">
      {sidebarOpen && !narrow && sessions}
      {sidebarOpen && narrow && (
        <SessionsDrawer
          onClose={() => {
            onSidebar(false);
          }}
        >
          {sessions}
        </SessionsDrawer>
      )}
      <main className="Layout-main" data-toggle={sidebar !== null} aria-label={text('app.main')}>
        {sidebar !== null && (
          <div className="Layout-toggle">
            <IconButton
              label={text('app.toggleSidebar')}
              icon="sidebar"
              keys="Mod+B"
              aria-expanded={sidebarOpen}
              onClick={() => {
                onSidebar(!sidebarOpen);
              }}
            />
          </div>
        )}
        {conversation}
      </main>
      {panel && !panel.overlaps && <div className="Layout-panel">{panel.content}</div>}
      {panel?.overlaps && (
        <Drawer label={panel.name} side="end" onClose={panel.onClose}>
          {panel.content}
        </Drawer>
      )}
    </div>
  );
}

function SessionsDrawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const text = useText();
  return (
    <Drawer label={text('threads.sessions')} side="start" onClose={onClose}>
      <DrawerCloseShortcut onClose={onClose} />
      {children}
    </Drawer>
  );
}

/**
 * The shortcut that opens the panel also closes it, but not under a dialog, which may contain
 * unsaved text.
 */
function DrawerCloseShortcut({ onClose }: { onClose: () => void }) {
  const text = useText();
  const layer = useOverlay();
  const close = () => {
    if (topOverlay() === layer) onClose();
  };
  useShortcut('Mod+B', text('app.toggleSidebar'), close, 'everywhere');
  return null;
}
