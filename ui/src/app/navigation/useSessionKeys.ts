/**
 * The shortcuts that step through the sessions in the order of their list, and rename the open
 * one.
 */
import { useText } from '../../i18n';
import type { SessionId, SessionItem } from '../../ipc/bindings';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import type { SessionOverlay } from '../../sidebar/session/SessionOverlays';

type SessionKeyActions = {
  toSession: (session: SessionId) => void;
  /** Opens something over the window. */
  onOverlay: (opened: SessionOverlay) => void;
};

export function useSessionKeys(
  sessions: readonly SessionItem[],
  open: SessionId | null,
  { toSession, onOverlay }: SessionKeyActions,
) {
  const text = useText();
  const at = sessions.findIndex(({ id }) => id === open);
  const step = (by: 1 | -1) => {
    const next = sessions[at + by];
    if (at >= 0 && next) toSession(next.id);
  };
  useShortcut('Mod+PageDown', text('keyboard.nextSession'), () => {
    step(1);
  });
  useShortcut('Mod+PageUp', text('keyboard.previousSession'), () => {
    step(-1);
  });
  useShortcut('F2', text('keyboard.renameSession'), () => {
    const session = sessions[at];
    if (session) onOverlay({ type: 'rename', session });
  });
}
