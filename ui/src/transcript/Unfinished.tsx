/**
 * A conversation that ends without an answer: with the person's words, where none was begun or the
 * answer was deleted, or with tool calls, at the limit of generations, stopped, or cut off with the
 * program. It goes on when the person says so.
 */
import { useText } from '../i18n';
import type { Message, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { useTurn } from '../state/turn';

type UnfinishedProps = {
  message: Message;
  sessionId: SessionId;
  onContinue: () => Promise<unknown>;
};

export function Unfinished({ message, sessionId, onContinue }: UnfinishedProps) {
  const text = useText();
  const running = useTurn(sessionId, (turn) => turn.running);
  const unanswered = message.role === 'user';
  if (running || !(unanswered || message.parts.at(-1)?.type === 'tool')) return null;
  return (
    <p className="Message-ending">
      {text(unanswered ? 'transcript.unanswered' : 'tools.unfinished')}
      <Button kind="quiet" icon={unanswered ? 'refresh' : 'play'} onClick={() => void onContinue()}>
        {text(unanswered ? 'transcript.retry' : 'tools.goOn')}
      </Button>
    </p>
  );
}
