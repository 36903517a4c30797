/**
 * That a tool waits for the person, wherever the conversation is scrolled to and whichever thread of
 * the session is shown: a line that leads to the question, while that is not in view.
 */
import { useEffect } from 'react';
import { useText } from '../i18n';
import type { MessageId, Question, SessionId } from '../ipc/bindings';
import { useAnnounce } from '../kit/Announcer';
import { Button } from '../kit/Button';
import { callKey } from '../state/call';
import { useTurn } from '../state/turn';
import { useAnswerKeys } from './answering';
import { leadTo, useInView } from './inView';

type AskedProps = {
  sessionId: SessionId;
  /** Goes to a message of the current thread. */
  onShow: (message: MessageId) => void;
};

export function Asked({ sessionId, onShow }: AskedProps) {
  const questions = useTurn(sessionId, (turn) => turn.questions);
  return questions.map((question) => (
    <AskedLine
      key={callKey(question.messageId, question.callId)}
      question={question}
      onShow={onShow}
    />
  ));
}

function AskedLine({ question, onShow }: Pick<AskedProps, 'onShow'> & { question: Question }) {
  const text = useText();
  const announce = useAnnounce();
  const { callId, messageId, tool } = question;
  const key = callKey(messageId, callId);
  const words = text('tools.waits', { tool });
  const inView = useInView(key);
  // Said once for each question, and seen only as long as the question is not.
  useEffect(() => {
    announce(words);
  }, [announce, words, key]);
  if (inView) return null;
  const lead = () => {
    leadTo(key, () => {
      onShow(messageId);
    });
  };
  return (
    <div className="Asked">
      <span>{words}</span>
      <Button kind="quiet" onClick={lead}>
        {text('tools.toQuestion')}
      </Button>
      <LeadingKeys onPress={lead} />
    </div>
  );
}

/** The keys of an answer lead to a question that is not in view. */
function LeadingKeys({ onPress }: { onPress: () => void }) {
  useAnswerKeys(onPress);
  return null;
}
