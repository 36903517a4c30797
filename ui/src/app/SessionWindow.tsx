/**
 * A window that shows one session: its conversation, the reminders or a side question beside it, and the
 * dialogs on top. Other sessions are shown in the app window.
 */
import { useEffect, useEffectEvent } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { useShortcut } from '../kit/keyboard/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useZoomKeys } from '../settings/about/useZoomKeys';
import { SessionNavigationContext } from '../state/app/sessionNavigation';
import { ModelNavigationContext } from '../state/app/modelNavigation';
import { UsageNavigationContext } from '../state/app/usageNavigation';
import { useSessions } from '../state/queries/queries';
import { useReportError } from '../state/text/useReportError';
import { AppWindowOverlays } from './AppWindowOverlays';
import { Conversation } from './conversation/Conversation';
import { ConversationPane } from './ConversationPane';
import { CloseSessionDialog } from './dialogs/CloseSessionDialog';
import { usePreloadPanels } from './dialogs/lazyPanels';
import { Layout } from './layout/Layout';
import type { AppNavigation } from './navigation/appNavigation';
import { useAppNavigation } from './navigation/useAppNavigation';
import { useAsidePanel } from './layout/useAsidePanel';
import { usePanel } from './layout/usePanel';
import { useRemindersPanel } from './layout/useRemindersPanel';

const noSidebar = { open: false, narrow: false, setOpen: () => undefined };

export function SessionWindow({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const { data: all } = useSessions();
  const sessions = all?.filter(({ id }) => id === sessionId);
  const reminders = usePanel('(max-width: 960px)', false);
  const app = useAppNavigation(sessions, { sidebar: noSidebar, reminders });
  const navigation = useOutwardNavigation(sessionId, app.navigation);
  const { open } = app;
  const aside = useAsidePanel(open, reminders.narrow);
  const remindersPanel = useRemindersPanel(open, reminders);
  useShortcut('Mod+N', text('app.newSession'), navigation.toNewSession);
  useShortcut('Mod+,', text('app.openSettings'), () => {
    navigation.toSettings('context');
  });
  useShortcut('Mod+/', text('finding.shortcuts'), navigation.toShortcuts);
  useZoomKeys();
  useWindowTitle(sessions?.[0]?.name);
  useCloseWithSession(sessionId, sessions?.length === 0);
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
            sidebar={null}
            narrow={false}
            sidebarOpen={false}
            onSidebar={noSidebar.setOpen}
            conversation={
              <ConversationPane {...{ sessions, open, navigation }}>
                {open !== null && (
                  <Conversation
                    sessionId={open}
                    isElsewhere={false}
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
          <CloseSessionDialog />
          {app.overlay !== null && (
            <AppWindowOverlays overlay={app.overlay} session={open} onClose={app.closeOverlay} />
          )}
        </SessionNavigationContext>
      </ModelNavigationContext>
    </UsageNavigationContext>
  );
}

/** Shows other sessions in the app window. */
function useOutwardNavigation(here: SessionId, inside: AppNavigation): AppNavigation {
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const toSession = (session: SessionId) => {
    if (session === here) inside.toSession(session);
    else reportError(commands.showInAppWindow(session));
  };
  return {
    ...inside,
    toSession,
    toNewSession: () => {
      reportError(commands.createSession().then(commands.showInAppWindow));
    },
    toHit: (hit) => {
      if (hit.sessionId === here) inside.toHit(hit);
      else toSession(hit.sessionId);
    },
  };
}

function useWindowTitle(name: string | null | undefined) {
  const text = useText();
  const title = name ?? text('threads.untitled');
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** The window of a deleted session closes. */
function useCloseWithSession(sessionId: SessionId, isDeleted: boolean) {
  const { commands } = useBackend();
  const reportError = useEffectEvent(useReportError(useToast()));
  useEffect(() => {
    if (isDeleted) reportError(commands.closeSessionWindow(sessionId));
  }, [commands, sessionId, isDeleted]);
}
