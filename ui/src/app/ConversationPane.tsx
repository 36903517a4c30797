/**
 * The middle column: notices about settings and data, and the open session.
 */
import { Suspense, type ReactNode } from 'react';
import type { SessionId, SessionItem } from '../ipc/bindings';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { required, useSessions } from '../state/queries/queries';
import { DismissOffers } from './conversation/DismissOffers';
import { LazyNotices } from './dialogs/lazyPanels';
import type { AppNavigation } from './navigation/appNavigation';

type ConversationPaneProps = {
  sessions: readonly SessionItem[] | undefined;
  /** null: no session is open yet. */
  open: SessionId | null;
  navigation: AppNavigation;
  /** The open session. */
  children: ReactNode;
};

export function ConversationPane({ sessions, open, navigation, children }: ConversationPaneProps) {
  return (
    <>
      <ErrorBoundary holds={null}>
        <Suspense>
          <LazyNotices
            onCopies={() => {
              navigation.toSettings('data');
            }}
          />
        </Suspense>
      </ErrorBoundary>
      <ErrorBoundary holds={open ?? sessions}>
        {open === null ? (
          <SessionsPlaceholder />
        ) : (
          <>
            <DismissOffers session={open} />
            {children}
          </>
        )}
      </ErrorBoundary>
    </>
  );
}

/** Replaces the conversation until one is open. Throws the error of loading the sessions. */
function SessionsPlaceholder() {
  useSessions(required);
  return null;
}
