/**
 * Says what the person wants of a message in the context. What changes is seen at the message; who does
 * not see it hears it.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Inclusion, MessageId } from '../../ipc/bindings';
import { useAnnounce } from '../../kit/notifications/LiveRegion';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';

export function useSetInclusion(id: MessageId) {
  const text = useText();
  const announce = useAnnounce();
  const attempt = useReportError(useToast());
  const { commands } = useBackend();
  return (inclusion: Inclusion) => {
    const done = commands.includeMessage(id, inclusion).then(() => {
      announce(text(`transcript.now_${inclusion}`));
    });
    attempt(done);
  };
}
