/**
 * The three columns of the window: sessions, conversation, and a panel that opens beside it.
 * In a narrow window the first becomes a drawer. What stands in them is not known here.
 */
import { type ReactNode } from 'react';
import { useText } from '../i18n';
import { IconButton } from '../kit/IconButton';
import { useFocusWhileOpen } from '../kit/focus';
import { useShortcut } from '../kit/shortcuts';
import './Frame.css';

type FrameProps = {
  sidebar: ReactNode;
  /** The sessions lie over the conversation instead of beside it. */
  narrow: boolean;
  sidebarOpen: boolean;
  onSidebar: (open: boolean) => void;
  conversation: ReactNode;
  panel?: ReactNode;
};

export function Frame(props: FrameProps) {
  const { sidebar, narrow, sidebarOpen, onSidebar, conversation, panel } = props;
  const text = useText();
  return (
    <div className="Frame">
      {sidebarOpen && !narrow && (
        <nav className="Frame-side" aria-label={text('threads.sessions')}>
          {sidebar}
        </nav>
      )}
      {sidebarOpen && narrow && (
        <Drawer
          onClose={() => {
            onSidebar(false);
          }}
        >
          {sidebar}
        </Drawer>
      )}
      <main className="Frame-main">
        <div className="Frame-toggle">
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
        {conversation}
      </main>
      {panel !== undefined && <div className="Frame-panel">{panel}</div>}
    </div>
  );
}

/** The sessions over the conversation: Esc and a click beside them close it. */
function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const text = useText();
  const drawer = useFocusWhileOpen<HTMLElement>();
  useShortcut('Escape', text('app.toggleSidebar'), onClose);
  return (
    <>
      <nav ref={drawer} className="Frame-side" aria-label={text('threads.sessions')} tabIndex={-1}>
        {children}
      </nav>
      <div className="Frame-scrim" role="presentation" onClick={onClose} />
    </>
  );
}
