import type { SessionItem } from '../../ipc/bindings';
import { useUnsavedInWindow } from '../../kit/overlays/unsavedGuard';
import { useSessions } from '../../state/queries/queries';

/**
 * The sessions with unsaved text in this window; null: outside any session. Text of a deleted session does
 * not count.
 */
export function useUnsavedSessions(): readonly (SessionItem | null)[] {
  const { data: sessions } = useSessions();
  const everywhere = new Set(useUnsavedInWindow().values());
  return [...everywhere].flatMap((of) => {
    const session = sessions?.find(({ id }) => id === of);
    if (session) return [session];
    return of === null || !sessions ? [null] : [];
  });
}
