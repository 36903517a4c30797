/**
 * What is open in the window: a session, one of its threads, a dialog.
 */
import { Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ModelRef, SessionId, SessionItem } from '../ipc/bindings';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { Spinner } from '../kit/display/Spinner';
import { useShortcut } from '../kit/layers/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { DataNotice } from '../settings/notices/DataNotice';
import { SettingsNotice } from '../settings/notices/SettingsNotice';
import { useZoomKeys } from '../settings/about/useZoomKeys';
import { useReportError } from '../state/text/useReportError';
import { required, useSessions } from '../state/queries/queries';
import { ModelNavigationContext } from '../state/app/modelNavigation';
import { SessionNavigationContext } from '../state/app/sessionNavigation';
import { SessionOverlays, type SessionOverlay } from '../sidebar/session/SessionOverlays';
import { Sidebar } from '../sidebar/Sidebar';
import { CloseDialog } from './dialogs/CloseDialog';
import { Conversation } from './conversation/Conversation';
import { Layout } from './Layout';
import { useAnnounceSession } from './navigation/useAnnounceNavigation';
import { usePanel } from './usePanel';
import { LazyRemindersPanel, usePreloadPanels } from './dialogs/lazyPanels';
import type { ThreadScrollTarget } from './navigation/useScrollTarget';
import { DeepLinks } from './links/DeepLinks';
import { useDesktopNotifications } from './useDesktopNotifications';
import { DismissOffers } from './conversation/DismissOffers';
import type { AppNavigation } from './navigation/appNavigation';
import { useOpenSession } from './navigation/useOpenSession';
import { useSessionKeys } from './navigation/useSessionKeys';
import { AppWindowOverlays, type AppWindowOverlay } from './AppWindowOverlays';

const none: readonly SessionItem[] = [];

export function AppWindow() {
  const text = useText();
  const { commands } = useBackend();
  const { data: sessions } = useSessions();
  const { open, spot, leftOff, setSpot, show: choose } = useOpenSession(sessions);
  const [dialog, setDialog] = useState<AppWindowOverlay | null>(null);
  const [query, setQuery] = useState('');
  const [ofSession, setOfSession] = useState<SessionOverlay | null>(null);
  const attempt = useReportError(useToast());
  const sidebar = usePanel('(max-width: 720px)', true);
  const reminders = usePanel('(max-width: 960px)', false);

  const { narrow, setOpen: setSidebar } = sidebar;
  const show = useCallback(
    (session: SessionId, at: ThreadScrollTarget | null) => {
      choose(session, at);
      if (narrow) setSidebar(false);
    },
    [choose, narrow, setSidebar],
  );
  // The same for as long as it can be: every line of the sidebar has it.
  const toSession = useCallback(
    (session: SessionId) => {
      show(session, leftOff.positionInSession(session));
    },
    [show, leftOff],
  );
  const beginSession = () => {
    attempt(commands.createSession().then(toSession));
  };
  const ways: AppNavigation = {
    toSession,
    toHit: ({ sessionId, place, excerpt }) => {
      if (place === null) {
        toSession(sessionId);
        return;
      }
      const { threadId, messageId } = place;
      const words = excerpt.filter(({ found }) => found).map(({ text: piece }) => piece);
      const goal = words.length === 0 ? { messageId } : { messageId, sought: { words, at: null } };
      attempt(
        // It may stand in an alternative that is not shown; while a reply runs, it stays there.
        commands.revealMessage(messageId).finally(() => {
          show(sessionId, { threadId, goal });
        }),
      );
    },
    toSettings: (page, control) => {
      setDialog(control ? { page, control } : { page });
    },
    toProvider: (provider) => {
      setDialog({ page: 'providers', provider });
    },
    toReminders: () => {
      reminders.setOpen(true);
    },
  };
  const toModel = useCallback((model: ModelRef) => {
    setDialog({ page: 'providers', model });
  }, []);
  const close = () => {
    setDialog(null);
  };
  const closeReminders = () => {
    reminders.setOpen(false);
  };

  useShortcut('Mod+N', text('app.newSession'), beginSession);
  useShortcut('Mod+B', text('app.toggleSidebar'), () => {
    sidebar.setOpen(!sidebar.open);
  });
  useShortcut('Mod+,', text('app.openSettings'), () => {
    ways.toSettings('context');
  });
  useShortcut('Mod+/', text('finding.shortcuts'), () => {
    setDialog('shortcuts');
  });
  useSessionKeys(sessions ?? none, open, { toSession, onOver: setOfSession });
  useZoomKeys();
  useShortcut('Mod+Shift+F', text('finding.searchAll'), () => {
    setSidebar(true);
    // Once it is there, and what it was asked from has closed.
    setTimeout(() => {
      document.querySelector<HTMLElement>('.Sidebar input[type="search"]')?.focus();
    });
  });
  useDesktopNotifications();
  useAnnounceSession(sessions ?? none, open);
  useEnsureFirstSession(sessions?.length === 0);
  usePreloadPanels();

  return (
    <ModelNavigationContext value={toModel}>
      <SessionNavigationContext value={toSession}>
        <Layout
          sidebar={
            <Sidebar
              open={open}
              onOpen={ways.toSession}
              onOver={setOfSession}
              onNew={beginSession}
              onHit={ways.toHit}
              onSettings={() => {
                ways.toSettings('context');
              }}
              query={query}
              onQuery={setQuery}
            />
          }
          narrow={sidebar.narrow}
          sidebarOpen={sidebar.open}
          onSidebar={sidebar.setOpen}
          conversation={
            <>
              <SettingsNotice />
              <DataNotice
                onCopies={() => {
                  ways.toSettings('data');
                }}
              />
              <ErrorBoundary holds={open ?? sessions}>
                {open === null ? (
                  <SessionsPlaceholder />
                ) : (
                  <>
                    <DismissOffers session={open} />
                    <Conversation
                      key={open}
                      sessionId={open}
                      spot={spot}
                      onSpot={setSpot}
                      leftOff={leftOff}
                      ways={ways}
                      remindersOpen={reminders.open}
                      onReminders={() => {
                        reminders.setOpen(!reminders.open);
                      }}
                    />
                  </>
                )}
              </ErrorBoundary>
            </>
          }
          panel={
            reminders.open && open !== null
              ? {
                  name: text('reminders.reminders'),
                  over: reminders.narrow,
                  onClose: closeReminders,
                  content: (
                    <ErrorBoundary holds={open}>
                      <Suspense fallback={<Spinner>{text('kit.loading')}</Spinner>}>
                        <LazyRemindersPanel sessionId={open} onClose={closeReminders} />
                      </Suspense>
                    </ErrorBoundary>
                  ),
                }
              : null
          }
        />
        <DeepLinks ways={ways} />
        <CloseDialog />
        {dialog !== null && <AppWindowOverlays {...{ dialog, session: open }} onClose={close} />}
        {ofSession && (
          <SessionOverlays
            opened={ofSession}
            onClose={() => {
              setOfSession(null);
            }}
          />
        )}
      </SessionNavigationContext>
    </ModelNavigationContext>
  );
}

/** In the place of a conversation, until one is opened: says where none can be. */
function SessionsPlaceholder() {
  useSessions(required);
  return null;
}

/** There is always a conversation to write into. */
function useEnsureFirstSession(empty: boolean) {
  const { commands } = useBackend();
  const attempt = useEffectEvent(useReportError(useToast()));
  useEffect(() => {
    if (empty) attempt(commands.firstSession());
  }, [empty, commands]);
}
