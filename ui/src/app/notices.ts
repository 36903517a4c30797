/**
 * Tells on the desktop that a reply has ended or a tool asks, while the window is not in front. By the
 * session's title alone: what was said is nobody's who looks over a shoulder.
 */
import { useEffect, useRef } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Activity, SessionId } from '../ipc/bindings';
import { useSessions, useSettings } from '../state/reading';
import { isReplying } from '../state/turn';

export function useNotices() {
  const text = useText();
  const { desktop } = useBackend();
  const { data: sessions } = useSessions();
  const { data: view } = useSettings();
  const before = useRef<ReadonlyMap<SessionId, Activity>>(new Map());
  const notices = view?.settings.appearance.notices;

  useEffect(() => {
    if (!sessions) return;
    const away = notices === 'whenAway' && !document.hasFocus();
    for (const { id, title, activity } of sessions) {
      const news = newsOf(before.current.get(id), activity);
      if (!away || news === null) continue;
      // A desktop that tells nothing has nothing to be told of.
      desktop.notify(title ?? text('threads.untitled'), text(news)).catch(() => undefined);
    }
    before.current = new Map(sessions.map(({ id, activity }) => [id, activity]));
  }, [sessions, notices, desktop, text]);
}

function newsOf(before: Activity | undefined, now: Activity) {
  if (before === undefined || before === now) return null;
  if (now === 'asking') return 'app.asks';
  return isReplying(before) && !isReplying(now) ? 'app.answered' : null;
}
