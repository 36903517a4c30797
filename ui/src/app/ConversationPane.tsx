/**
 * The middle column: notices about settings and data, and the open session.
 */
import type { ReactNode } from 'react';
import type { SessionId, SessionItem } from '../ipc/bindings';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { DataNotice } from '../settings/notices/DataNotice';
import { SettingsNotice } from '../settings/notices/SettingsNotice';
import { required, useSessions } from '../state/queries/queries';
import { DismissOffers } from './conversation/DismissOffers';
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
      <SettingsNotice />
      <DataNotice
        onCopies={() => {
          navigation.toSettings('data');
        }}
      />
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
