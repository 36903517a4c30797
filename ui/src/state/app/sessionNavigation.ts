/**
 * Opens a session, from any place that creates one. The app window provides the function.
 */
import { createContext, use } from 'react';
import type { SessionId } from '../../ipc/bindings';

export const SessionNavigationContext = createContext<(session: SessionId) => void>(
  () => undefined,
);

export const useNavigateToSession = () => use(SessionNavigationContext);
