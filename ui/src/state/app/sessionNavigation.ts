/**
 * The way from wherever a session is made to it. The window knows how to open one.
 */
import { createContext, use } from 'react';
import type { SessionId } from '../../ipc/bindings';

export const SessionNavigationContext = createContext<(session: SessionId) => void>(
  () => undefined,
);

export const useNavigateToSession = () => use(SessionNavigationContext);
