/**
 * Notifies the user on the desktop of finished replies and tool questions, while no window of Skein has the
 * focus. Only with the session's title, because others may see the screen.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Activity, TurnOutcome, SessionId, SessionItem } from '../../ipc/bindings';
import { useSessions, useSettings } from '../../state/queries/queries';
import { isReplying } from '../../state/turn/turnStore';

export function useDesktopNotifications() {
  const text = useText();
  const { desktop } = useBackend();
  const { data: sessions } = useSessions();
  const { data: view } = useSettings();
  const before = useRef<ReadonlyMap<SessionId, Activity>>(new Map());
  const notices = view?.settings.appearance.notices;

  useEffect(() => {
    if (!sessions) return;
    const news = sessions.flatMap((session) => {
      const key = notificationKey(before.current.get(session.id), session);
      return key === null ? [] : [[session.title ?? text('threads.untitled'), text(key)] as const];
    });
    before.current = new Map(sessions.map(({ id, activity }) => [id, activity]));
    if (notices !== 'whenAway' || news.length === 0) return;
    const notify = async () => {
      if (await desktop.hasFocus()) return;
      await Promise.all(news.map((words) => desktop.notify(...words)));
    };
    // A desktop without notifications is fine.
    notify().catch(() => undefined);
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
