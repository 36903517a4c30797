/**
 * The context health in words.
 */
import { useFormats, useText } from '../../i18n';
import type { SessionId } from '../../ipc/bindings';
import { useHealth } from '../queries/queries';
import type { PendingContextAction } from '../queries/estimateQueries';

/** `name`: the level, and the action of the next message. `reason`: why it is that level, a phrase. */
export function useHealthText(session: SessionId, due: PendingContextAction) {
  const text = useText();
  const formats = useFormats();
  const health = useHealth(session).data?.latest;
  const level = health?.level ?? 'unavailable';
  const { prompt = null, optimal, critical } = health ?? {};
  const levelReason = () => {
    switch (level) {
      case 'healthy':
        return text('health.why_healthy');
      case 'caution':
        return text('health.why_caution', { optimal: formats.exact(optimal ?? 0) });
      case 'critical':
        return text('health.why_critical', { critical: formats.exact(critical ?? 0) });
      case 'unavailable':
        return text(prompt === null ? 'health.why_unreported' : 'composer.windowUnknown');
    }
  };
  const levels = due !== null && level === 'healthy' ? [] : [text(`context.${level}`)];
  const actions = due === null ? [] : [text(`context.${due}Due`)];
  return {
    health,
    level,
    name: [...levels, ...actions].join(' · '),
    reason: due === null ? levelReason() : text(`health.why_${due}`),
  };
}
