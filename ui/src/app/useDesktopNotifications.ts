/**
 * Notifies the user on the desktop of finished replies and tool questions, while the app window is
 * not in front. Only with the session's title, because others may see the screen.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Activity, TurnOutcome, SessionId, SessionItem } from '../ipc/bindings';
import { useSessions, useSettings } from '../state/queries/queries';
import { isReplying } from '../state/turn/turnStore';

export function useDesktopNotifications() {
  const text = useText();
  const { desktop } = useBackend();
  const { data: sessions } = useSessions();
  const { data: view } = useSettings();
  const before = useRef<ReadonlyMap<SessionId, Activity>>(new Map());
  const notices = view?.settings.appearance.notices;

  useEffect(() => {
    if (!sessions) return;
    const away = notices === 'whenAway' && !document.hasFocus();
    for (const session of sessions) {
      const news = notificationKey(before.current.get(session.id), session);
      if (!away || news === null) continue;
      // A desktop without notifications is fine.
      desktop.notify(session.title ?? text('threads.untitled'), text(news)).catch(() => undefined);
    }
    before.current = new Map(sessions.map(({ id, activity }) => [id, activity]));
  }, [sessions, notices, desktop, text]);
}

const outcomeKeys = {
  answered: 'app.answered',
  cutOff: 'app.cutOff',
  failed: 'app.failed',
} as const satisfies Record<TurnOutcome, string>;

function notificationKey(before: Activity | undefined, { activity: now, ended }: SessionItem) {
  if (before === undefined || before === now) return null;
  if (now === 'asking') return 'app.asks';
  return isReplying(before) && !isReplying(now) && ended !== null ? outcomeKeys[ended] : null;
}
