/**
 * What is open in the window: a session, one of its threads, a dialog.
 */
import { useEffect, useRef, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { MessageId, SessionId, ThreadId } from '../ipc/bindings';
import { useShortcut } from '../kit/shortcuts';
import { SettingsDialog } from '../settings/SettingsDialog';
import { useChanges, useSessions } from '../state/reading';
import { Sidebar } from '../threads/Sidebar';
import { Conversation } from './Conversation';
import { Frame } from './Frame';

/** Where a search hit led. */
export type Spot = { threadId: ThreadId; messageId: MessageId | null };

export function Window() {
  const text = useText();
  const { commands } = useBackend();
  useChanges();
  const { data: sessions } = useSessions();
  const [chosen, setChosen] = useState<SessionId | null>(null);
  const [spot, setSpot] = useState<Spot | null>(null);
  const [settings, setSettings] = useState(false);
  const [sidebarOpen, setSidebarOpen] = useState(() => window.innerWidth > 720);

  const there = sessions?.some(({ id }) => id === chosen) === true;
  const open = there ? chosen : (sessions?.[0]?.id ?? null);
  const show = (session: SessionId, at: Spot | null) => {
    setChosen(session);
    setSpot(at);
    if (window.innerWidth <= 720) setSidebarOpen(false);
  };
  const begin = async () => {
    show(await commands.createSession(), null);
  };

  useShortcut('Mod+B', text('app.toggleSidebar'), () => {
    setSidebarOpen(!sidebarOpen);
  });
  useShortcut('Mod+N', text('app.newSession'), () => {
    void begin();
  });
  useShortcut('Mod+,', text('app.openSettings'), () => {
    setSettings(true);
  });
  // There is always a conversation to write into.
  const beginning = useRef(false);
  useEffect(() => {
    if (sessions?.length !== 0 || beginning.current) return;
    beginning.current = true;
    void commands.createSession().then(() => {
      beginning.current = false;
    });
  }, [sessions, commands]);

  return (
    <>
      <Frame
        sidebar={
          <Sidebar
            open={open}
            onOpen={(session) => {
              show(session, null);
            }}
            onNew={() => void begin()}
            onHit={({ sessionId, place }) => {
              show(sessionId, place && { threadId: place.threadId, messageId: place.messageId });
            }}
            onSettings={() => {
              setSettings(true);
            }}
          />
        }
        sidebarOpen={sidebarOpen}
        onSidebarClose={() => {
          setSidebarOpen(false);
        }}
        conversation={
          open !== null && (
            <Conversation
              key={open}
              sessionId={open}
              spot={spot}
              onSpot={setSpot}
              onProvider={() => {
                setSettings(true);
              }}
            />
          )
        }
      />
      {settings && (
        <SettingsDialog
          session={open}
          onClose={() => {
            setSettings(false);
          }}
        />
      )}
    </>
  );
}
