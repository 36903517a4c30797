/**
 * A reply that its provider ended early: the limit that it reached, and the button that continues it.
 */
import { useFormats, useText } from '../../i18n';
import type { StopReason, Message } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import type { SpeechContext } from '../../markdown/parse/toSpeech';

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
  const words = truncationText(message, at, { text, formats });
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

/** The text for the limit. */
export function truncationText(
  message: Message,
  at: StopReason,
  { text, formats }: SpeechContext,
): string {
  switch (at.type) {
    case 'window':
      return text('transcript.endedWindow');
    case 'filter':
      return text(
        message.parts.length === 0 ? 'transcript.endedFilterWhole' : 'transcript.endedFilter',
      );
    case 'output': {
      if (!at.shortened) return text('transcript.endedOutput');
      const tokens = formats.exact(at.shortened.tokens);
      return text(outputCapKeys[at.shortened.by], { tokens });
    }
  }
}

const outputCapKeys = {
  window: 'transcript.endedShortWindow',
  allowance: 'transcript.endedShortAllowance',
} as const;
