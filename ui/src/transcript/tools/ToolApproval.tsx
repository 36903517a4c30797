/**
 * The approval request of a tool that writes, runs or connects: what exactly would happen, and four
 * answers. It takes an answer only after it has stood still for a moment.
 */
import { useRef } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type {
  ApprovalDecision,
  ApprovalPreview,
  ApprovalRequest,
  SessionId,
} from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useStablePosition } from '../../kit/a11y/useStablePosition';
import { ariaKeys, Shortcut } from '../../kit/keyboard/Shortcut';
import { EscapedText } from '../../kit/text/EscapedText';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { approvalKeys } from '../../state/turn/approvalKeys';
import { toolCallKey } from '../../state/turn/toolCallKey';
import { useApprovalKeys } from './useApprovalKeys';
import { grantLabel } from './grantLabel';
import { DiffView } from './DiffView';
import { useIsApprovalVisible, useTrackApproval } from './approvalVisibility';

/** A lasting grant is less prominent and has no shortcut: the request is about one call. */
const approvalButtons: readonly {
  answer: ApprovalDecision;
  kind: 'plain' | 'quiet';
  keys?: string;
}[] = [
  { answer: 'once', kind: 'plain', keys: approvalKeys.once },
  { answer: 'session', kind: 'quiet' },
  { answer: 'always', kind: 'quiet' },
  { answer: 'deny', kind: 'plain', keys: approvalKeys.deny },
];

/** The decision to retry a call applies to that call only. */
const availableAnswers = (preview: ApprovalPreview | null) =>
  preview?.type === 'repeated'
    ? approvalButtons.filter(({ answer }) => answer === 'once' || answer === 'deny')
    : approvalButtons;

export function ToolApproval({
  question,
  sessionId,
}: {
  question: ApprovalRequest;
  sessionId: SessionId;
}) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const { messageId, callId, tool, preview } = question;
  const covered = grantLabel(text, question);
  const place = useRef<HTMLDivElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const { settled, answer: whenSettled } = useStablePosition(buttons);
  const key = toolCallKey(messageId, callId);
  useTrackApproval(key, place);
  const answerWith = (answer: ApprovalDecision) => {
    whenSettled(() => {
      reportError(commands.answerTool(sessionId, callId, answer));
    });
  };
  const inView = useIsApprovalVisible(key);
  return (
    <div
      ref={place}
      className="Tool-question"
      role="group"
      aria-label={text('tools.question')}
      tabIndex={-1}
    >
      <p>
        <EscapedText words={text('tools.asks', { tool })} />
      </p>
      {preview && <ToolCallPreview preview={preview} />}
      {covered !== null && (
        <p className="Tool-note">
          <EscapedText words={covered} />
        </p>
      )}
      <div ref={buttons} className="Tool-answers">
        {availableAnswers(preview).map(({ answer, kind, keys }) => (
          <Button
            key={answer}
            kind={kind}
            data-answer={answer}
            aria-disabled={!settled}
            aria-keyshortcuts={keys === undefined ? undefined : ariaKeys(keys)}
            onClick={() => {
              answerWith(answer);
            }}
          >
            {text(`tools.${answer}`)}
            {keys !== undefined && (
              <span aria-hidden="true">
                <Shortcut keys={keys} />
              </span>
            )}
          </Button>
        ))}
      </div>
      {inView && <ApprovalKeys onAnswer={answerWith} />}
    </div>
  );
}

/** Mounted while the request is in view. */
function ApprovalKeys({ onAnswer }: { onAnswer: (answer: ApprovalDecision) => void }) {
  useApprovalKeys(onAnswer);
  return null;
}

/** A long text scrolls, also by the keyboard. */
function EscapedToolText({ children }: { children: string }) {
  const text = useText();
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="Tool-text" tabIndex={0} aria-label={text('tools.used')}>
      <EscapedText words={children} />
    </pre>
  );
}

function ToolCallPreview({ preview }: { preview: ApprovalPreview }) {
  const text = useText();
  switch (preview.type) {
    case 'command':
      return (
        <>
          <p>
            <EscapedText words={text('tools.runsIn', { folder: preview.folder })} />
          </p>
          <EscapedToolText>{preview.line}</EscapedToolText>
        </>
      );
    case 'diff':
      return (
        <>
          <p>
            <EscapedText words={text('tools.changes', { path: preview.path })} />
          </p>
          <DiffView label={text('tools.used')} diff={preview.diff} />
          {preview.leftOut && <p>{text('tools.leftOut', preview.leftOut)}</p>}
        </>
      );
    case 'request':
      return (
        <>
          <p>{text('tools.calls')}</p>
          <EscapedToolText>{preview.target}</EscapedToolText>
        </>
      );
    case 'foreign':
      return (
        <>
          <p>
            <EscapedText words={text('tools.foreign', { server: preview.server })} />
          </p>
          {preview.changed && <p>{text('tools.toolChanged')}</p>}
          <EscapedToolText>{preview.args}</EscapedToolText>
        </>
      );
    case 'repeated':
      return (
        <>
          <p>{text('tools.repeated', { times: preview.times })}</p>
          <pre className="Tool-text">
            <EscapedText words={preview.args} />
          </pre>
        </>
      );
    case 'reminder':
      return (
        <>
          <p>{text('tools.reminds')}</p>
          <EscapedToolText>{preview.content}</EscapedToolText>
        </>
      );
  }
}
