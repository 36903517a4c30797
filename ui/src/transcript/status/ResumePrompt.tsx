/**
 * A thread that ends without a reply: with a message of the user, with tool calls, at the limit of
 * generations, after a stop or a crash, or with an empty reply. A button continues it, or for an empty
 * reply asks again.
 */
import { useText } from '../../i18n';
import type { Message, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useSession } from '../../state/queries/queries';

const isUnanswered = (message: Message) => message.role === 'user';

/** Reasoning alone is no reply. */
export const isEmptyReply = ({ role, parts }: Message) =>
  role === 'assistant' &&
  parts.every(
    (part) => part.type === 'reasoning' || (part.type === 'text' && part.text.trim() === ''),
  );

export const needsResume = (message: Message) => resumeReason(message) !== null;

type ResumeReason = 'unanswered' | 'wordless' | 'calls';

function resumeReason(message: Message): ResumeReason | null {
  if (isUnanswered(message)) return 'unanswered';
  if (isEmptyReply(message)) return 'wordless';
  return message.parts.at(-1)?.type === 'tool' ? 'calls' : null;
}

/** Nothing else says that the program ended before its reply was begun. */
const cutKeys = {
  unanswered: 'transcript.unansweredCut',
  wordless: 'transcript.wordless',
  calls: 'tools.unfinishedCut',
} as const;

const resumeKeys = {
  unanswered: 'transcript.unanswered',
  wordless: 'transcript.wordless',
  calls: 'tools.unfinished',
} as const;

type ResumePromptProps = {
  message: Message;
  sessionId: SessionId;
  /** The thread can be continued. What the next message skips is shown only if nothing else is. */
  offered: boolean;
  onContinue: () => Promise<unknown>;
};

export function ResumePrompt({ message, sessionId, offered, onContinue }: ResumePromptProps) {
  const text = useText();
  const { data: session } = useSession(sessionId);
  const how = resumeReason(message);
  if (how === null || (!offered && how !== 'wordless')) return null;
  const again = how !== 'calls';
  return (
    <p className="Message-ending">
      {text((offered && session?.isTurnCut ? cutKeys : resumeKeys)[how])}
      {offered && (
        <Button kind="quiet" icon={again ? 'refresh' : 'play'} onClick={() => void onContinue()}>
          {text(again ? 'transcript.retry' : 'tools.goOn')}
        </Button>
      )}
    </p>
  );
}
