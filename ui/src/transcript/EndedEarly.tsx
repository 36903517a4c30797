/**
 * A reply that its provider ended before the model was done: what it ran into, and the way on where
 * there is one.
 */
import { useFormats, useText } from '../i18n';
import type { Bound, Message, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { useTurn } from '../state/turn';

type EndedEarlyProps = {
  message: Message;
  at: Bound;
  sessionId: SessionId;
  last: boolean;
  onContinue: () => Promise<unknown>;
};

export function EndedEarly({ message, at, sessionId, last, onContinue }: EndedEarlyProps) {
  const text = useText();
  const words = useWords(message, at);
  const running = useTurn(sessionId, (turn) => turn.running);
  return (
    <p className="Message-ending">
      {words}
      {last && !running && at.type !== 'filter' && (
        <Button kind="quiet" onClick={() => void onContinue()}>
          {text('transcript.continue')}
        </Button>
      )}
    </p>
  );
}

function useWords(message: Message, at: Bound): string {
  const text = useText();
  const formats = useFormats();
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
      return text(shortenedBy[at.shortened.by], { tokens });
    }
  }
}

const shortenedBy = {
  window: 'transcript.endedShortWindow',
  allowance: 'transcript.endedShortAllowance',
} as const;
