/**
 * A conversation that ends without an answer: with the person's words, where none was begun or the
 * answer was deleted, or with tool calls, at the limit of generations, stopped, or cut off with the
 * program. It goes on when the person says so.
 */
import { useText } from '../i18n';
import type { Message } from '../ipc/bindings';
import { Button } from '../kit/Button';

const isUnanswered = (message: Message) => message.role === 'user';

export const isUnfinished = (message: Message) =>
  isUnanswered(message) || message.parts.at(-1)?.type === 'tool';

type UnfinishedProps = {
  message: Message;
  onContinue: () => Promise<unknown>;
};

export function Unfinished({ message, onContinue }: UnfinishedProps) {
  const text = useText();
  const unanswered = isUnanswered(message);
  return (
    <p className="Message-ending">
      {text(unanswered ? 'transcript.unanswered' : 'tools.unfinished')}
      <Button kind="quiet" icon={unanswered ? 'refresh' : 'play'} onClick={() => void onContinue()}>
        {text(unanswered ? 'transcript.retry' : 'tools.goOn')}
      </Button>
    </p>
  );
}
