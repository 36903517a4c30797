/**
 * The three columns of the window: sessions, conversation, and a panel that opens beside it.
 * In a narrow window the first becomes a drawer. What stands in them is not known here.
 */
import { type ReactNode } from 'react';
import { useText } from '../i18n';
import { IconButton } from '../kit/IconButton';
import './Frame.css';

type FrameProps = {
  sidebar: ReactNode;
  sidebarOpen: boolean;
  onSidebar: (open: boolean) => void;
  conversation: ReactNode;
  panel?: ReactNode;
};

export function Frame({ sidebar, sidebarOpen, onSidebar, conversation, panel }: FrameProps) {
  const text = useText();
  return (
    <div className="Frame">
      {sidebarOpen && (
        <>
          <nav className="Frame-side" aria-label={text('threads.sessions')}>
            {sidebar}
          </nav>
          {/* Only there to be clicked away: the keyboard closes the drawer by its shortcut. */}
          <div
            className="Frame-scrim"
            role="presentation"
            onClick={() => {
              onSidebar(false);
            }}
          />
        </>
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
