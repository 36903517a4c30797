/**
 * A turn that ended with tool calls and no answer: at the limit of generations, stopped, or cut off
 * with the program. It goes on when the person says so.
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
  if (running || message.parts.at(-1)?.type !== 'tool') return null;
  return (
    <p className="Message-ending">
      {text('tools.unfinished')}
      <Button kind="quiet" icon="play" onClick={() => void onContinue()}>
        {text('tools.goOn')}
      </Button>
    </p>
  );
}
