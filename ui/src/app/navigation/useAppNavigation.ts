/**
 * The app window's state: the open session, the scroll position in it, and the dialog on top. The hook
 * makes the functions that change them.
 */
import { useCallback, useState } from 'react';
import { useBackend } from '../../ipc';
import type { ModelRef, SearchHit, SessionId, SessionItem } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import type { AppWindowOverlay } from '../AppWindowOverlays';
import type { PanelState } from '../layout/usePanel';
import type { AppNavigation } from './appNavigation';
import { useOpenSession } from './useOpenSession';
import type { ThreadScrollTarget } from './useScrollTarget';

type Panels = { sidebar: PanelState; reminders: PanelState };

export function useAppNavigation(
  sessions: readonly SessionItem[] | undefined,
  { sidebar, reminders }: Panels,
) {
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const { open, scrollTarget, readingPositions, setScrollTarget, show } = useOpenSession(sessions);
  const [overlay, setOverlay] = useState<AppWindowOverlay | null>(null);

  const { narrow, setOpen: setSidebarOpen } = sidebar;
  const showSession = useCallback(
    (session: SessionId, target: ThreadScrollTarget | null) => {
      show(session, target);
      if (narrow) setSidebarOpen(false);
    },
    [show, narrow, setSidebarOpen],
  );
  // Each row of the sidebar renders again when this function changes, so it changes as rarely as possible.
  const toSession = useCallback(
    (session: SessionId) => {
      showSession(session, readingPositions.positionInSession(session));
    },
    [showSession, readingPositions],
  );
  const toModel = useCallback((model: ModelRef) => {
    setOverlay({ page: 'providers', model });
  }, []);
  const toHit = ({ sessionId, place, excerpt }: SearchHit) => {
    if (place === null) {
      toSession(sessionId);
      return;
    }
    const { threadId, messageId } = place;
    const words = excerpt.filter(({ found }) => found).map(({ text }) => text);
    const message = words.length === 0 ? { messageId } : { messageId, match: { words, at: null } };
    reportError(
      // Switches to the message's branch if another one is shown. While a reply runs the switch is refused.
      commands.revealMessage(messageId).finally(() => {
        showSession(sessionId, { threadId, message });
      }),
    );
  };
  const navigation: AppNavigation = {
    toSession,
    toNewSession: () => {
      reportError(commands.createSession().then(toSession));
    },
    toHit,
    toSettings: (page, control) => {
      setOverlay(control ? { page, control } : { page });
    },
    toProvider: (provider) => {
      setOverlay({ page: 'providers', provider });
    },
    toReminders: () => {
      reminders.setOpen(true);
    },
    toShortcuts: () => {
      setOverlay('shortcuts');
    },
  };
  return {
    open,
    scrollTarget,
    readingPositions,
    setScrollTarget,
    navigation,
    toModel,
    overlay,
    closeOverlay: () => {
      setOverlay(null);
    },
  };
}
