/**
 * Pins a message, excludes it or resets it. The change is announced to screen readers.
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
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  return (inclusion: Inclusion) => {
    const done = commands.includeMessage(id, inclusion).then(() => {
      announce(text(`transcript.now_${inclusion}`));
    });
    reportError(done);
  };
}
