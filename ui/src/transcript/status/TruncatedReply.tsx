/**
 * A reply that its provider ended early: the limit that it reached, and the button that continues it.
 */
import { useFormats, useText } from '../../i18n';
import type { StopReason, Message } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { truncationText } from '../../state/text/truncationText';

type TruncatedReplyProps = {
  message: Message;
  at: StopReason;
  /** The reply can be continued. */
  offered: boolean;
  onContinue: () => Promise<unknown>;
};

export function TruncatedReply({ message, at, offered, onContinue }: TruncatedReplyProps) {
  const text = useText();
  const formats = useFormats();
  const words = truncationText(at, message.parts.length === 0, { text, formats });
  return (
    <p className="Message-ending">
      {words}
      {offered && (
        <Button kind="quiet" onClick={() => void onContinue()}>
          {text('transcript.continue')}
        </Button>
      )}
    </p>
  );
}
