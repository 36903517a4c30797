/**
 * The app window: the sidebar, the open session, the reminders or a side question
 * beside it, and the dialogs on top.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionItem } from '../ipc/bindings';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { useSessions } from '../state/queries/queries';
import { UsageNavigationContext } from '../state/app/usageNavigation';
import { ModelNavigationContext } from '../state/app/modelNavigation';
import { SessionNavigationContext } from '../state/app/sessionNavigation';
import type { SessionOverlay } from '../sidebar/session/SessionOverlays';
import { Sidebar } from '../sidebar/Sidebar';
import { CloseDialog } from './dialogs/CloseDialog';
import { Conversation } from './conversation/Conversation';
import { useWrittenElsewhere } from './conversation/useWrittenElsewhere';
import { ConversationPane } from './ConversationPane';
import { Layout } from './layout/Layout';
import { useAnnounceSession } from './navigation/useAnnounceNavigation';
import { useAsidePanel } from './layout/useAsidePanel';
import { usePanel } from './layout/usePanel';
import { useRemindersPanel } from './layout/useRemindersPanel';
import { LazySessionOverlays, usePreloadPanels } from './dialogs/lazyPanels';
import { DeepLinks } from './links/DeepLinks';
import { useDesktopNotifications } from './desktop/useDesktopNotifications';
import { useDesktopTexts } from './desktop/useDesktopTexts';
import { useAppNavigation } from './navigation/useAppNavigation';
import { useAppShortcuts } from './navigation/useAppShortcuts';
import { useSessionKeys } from './navigation/useSessionKeys';
import { LazyDialog } from '../kit/overlays/LazyDialog';
import { AppWindowOverlays } from './AppWindowOverlays';

const noSessions: readonly SessionItem[] = [];

export function AppWindow() {
  const { data: sessions } = useSessions();
  const sidebar = usePanel('(max-width: 720px)', true);
  const reminders = usePanel('(max-width: 960px)', false);
  const app = useAppNavigation(sessions, { sidebar, reminders });
  const [query, setQuery] = useState('');
  const [sessionOverlay, setSessionOverlay] = useState<SessionOverlay | null>(null);
  const { open, navigation } = app;
  const aside = useAsidePanel(open, reminders.narrow);
  const remindersPanel = useRemindersPanel(open, reminders);
  const text = useText();
  const elsewhere = useWrittenElsewhere();
  const closeSessionOverlay = () => {
    setSessionOverlay(null);
  };

  useAppShortcuts(navigation, sidebar);
  useSessionKeys(sessions ?? noSessions, open, {
    toSession: navigation.toSession,
    onOverlay: setSessionOverlay,
  });
  useDesktopNotifications();
  useDesktopTexts();
  useAnnounceSession(sessions ?? noSessions, open);
  useEnsureFirstSession(sessions?.length === 0);
  usePreloadPanels();

  return (
    <UsageNavigationContext
      value={() => {
        navigation.toSettings('usage');
      }}
    >
      <ModelNavigationContext value={app.toModel}>
        <SessionNavigationContext value={navigation.toSession}>
          <Layout
            sidebar={
              <Sidebar
                open={open}
                onOpen={navigation.toSession}
                onOverlay={setSessionOverlay}
                onNew={navigation.toNewSession}
                onHit={navigation.toHit}
                onSettings={() => {
                  navigation.toSettings('context');
                }}
                query={query}
                onQuery={setQuery}
              />
            }
            narrow={sidebar.narrow}
            sidebarOpen={sidebar.open}
            onSidebar={sidebar.setOpen}
            conversation={
              <ConversationPane {...{ sessions, open, navigation }}>
                {open !== null && (
                  <Conversation
                    key={open}
                    sessionId={open}
                    isElsewhere={elsewhere.includes(open)}
                    scrollTarget={app.scrollTarget}
                    onScrollTarget={app.setScrollTarget}
                    readingPositions={app.readingPositions}
                    navigation={navigation}
                    remindersOpen={reminders.open}
                    onReminders={() => {
                      reminders.setOpen(!reminders.open);
                    }}
                  />
                )}
              </ConversationPane>
            }
            panel={aside ?? remindersPanel}
          />
          <DeepLinks navigation={navigation} />
          <CloseDialog />
          {app.overlay !== null && (
            <AppWindowOverlays overlay={app.overlay} session={open} onClose={app.closeOverlay} />
          )}
          {sessionOverlay && (
            <LazyDialog
              title={sessionOverlay.session.name ?? text('threads.untitled')}
              onClose={closeSessionOverlay}
            >
              <LazySessionOverlays opened={sessionOverlay} onClose={closeSessionOverlay} />
            </LazyDialog>
          )}
        </SessionNavigationContext>
      </ModelNavigationContext>
    </UsageNavigationContext>
  );
}

/** Creates a session if there is none, so that there is always a composer. */
function useEnsureFirstSession(isEmpty: boolean) {
  const { commands } = useBackend();
  const reportError = useEffectEvent(useReportError(useToast()));
  useEffect(() => {
    if (isEmpty) reportError(commands.firstSession());
  }, [isEmpty, commands]);
}
