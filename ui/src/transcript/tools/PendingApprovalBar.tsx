/**
 * A line that leads to an open approval request of a tool, while the request is not in view: the transcript
 * may be scrolled elsewhere or show another thread.
 */
import { useEffect } from 'react';
import { useText } from '../../i18n';
import type { MessageId, ApprovalRequest, SessionId } from '../../ipc/bindings';
import { useAnnounce } from '../../kit/notifications/LiveRegion';
import { Button } from '../../kit/controls/Button';
import { toolCallKey } from '../../state/turn/toolCallKey';
import { useTurn } from '../../state/turn/turnStore';
import { approvalSpeech } from './approvalSpeech';
import { useApprovalKeys } from './useApprovalKeys';
import { scrollToApproval, useIsApprovalVisible } from './approvalVisibility';

type PendingApprovalBarProps = {
  sessionId: SessionId;
  /** Scrolls to a message of the current thread. */
  onShow: (message: MessageId) => void;
};

export function PendingApprovalBar({ sessionId, onShow }: PendingApprovalBarProps) {
  const questions = useTurn(sessionId, (turn) => turn.questions);
  return questions.map((question) => (
    <PendingApprovalLine
      key={toolCallKey(question.messageId, question.callId)}
      question={question}
      onShow={onShow}
    />
  ));
}

function PendingApprovalLine({
  question,
  onShow,
}: Pick<PendingApprovalBarProps, 'onShow'> & { question: ApprovalRequest }) {
  const text = useText();
  const announce = useAnnounce();
  const { callId, messageId, tool } = question;
  const key = toolCallKey(messageId, callId);
  const words = text('tools.waits', { tool });
  const inView = useIsApprovalVisible(key);
  const speech = approvalSpeech(text, question);
  // Announced once for each request; shown only while the request is not in view.
  useEffect(() => {
    announce(speech);
  }, [announce, speech, key]);
  if (inView) return null;
  const lead = () => {
    scrollToApproval(key, () => {
      onShow(messageId);
    });
  };
  return (
    <div className="Asked">
      <span>{words}</span>
      <Button kind="quiet" onClick={lead}>
        {text('tools.toQuestion')}
      </Button>
      <ScrollToApprovalKeys onPress={lead} />
    </div>
  );
}

/** While the request is not in view, the approval keys lead to it. */
function ScrollToApprovalKeys({ onPress }: { onPress: () => void }) {
  useApprovalKeys(onPress);
  return null;
}
