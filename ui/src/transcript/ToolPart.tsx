/**
 * A tool call and what came of it: its state, its progress, and where the person is asked, the
 * question.
 */
import { useMemo } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { MessageId, SessionId, ToolCall, ToolState } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { callKey } from '../state/call';
import { useTurn } from '../state/turn';
import { AttachmentView } from './AttachmentView';
import { Fold } from './Fold';
import { subjectOf } from './subject';
import { ToolQuestion } from './ToolQuestion';
import { WholeOutput } from './WholeOutput';
import { Writing } from './Writing';

type ToolPartProps = {
  /** The message that the call is of. */
  messageId: MessageId;
  call: ToolCall;
  sessionId: SessionId;
};

export function ToolPart({ messageId, call, sessionId }: ToolPartProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const { commands } = useBackend();
  const { state } = call;
  const key = callKey(messageId, call.callId);
  const question = useTurn(sessionId, ({ questions }) =>
    questions.find((asked) => callKey(asked.messageId, asked.callId) === key),
  );
  const progress = useTurn(sessionId, (turn) => turn.progress[key]);
  const whole = state.type === 'done' ? (state.output.whole ?? null) : null;
  const pictures = state.type === 'done' ? (state.output.pictures ?? []) : [];
  return (
    <div className="Tool" role="group" aria-label={call.name} data-state={state.type}>
      <Fold line={key} label={<CallLine call={call} />}>
        <h4 className="Tool-heading">{text('tools.asked')}</h4>
        <Words label={text('tools.asked')}>{indented(call.args)}</Words>
        <Result state={state} />
      </Fold>
      <Writing messageId={messageId} call={call} sessionId={sessionId} />
      {pictures.map((picture) => (
        <AttachmentView key={picture.name} part={{ type: 'image', ...picture }} />
      ))}
      {whole && <WholeOutput tool={call.name} whole={whole} />}
      {state.type === 'running' && (
        <p className="Tool-progress">
          {/* First, so that it stays under the pointer whatever the tool tells. */}
          <Button
            kind="quiet"
            icon="stop"
            onClick={() => {
              attempt(commands.cancelTool(sessionId, call.callId));
            }}
          >
            {text('tools.cancel')}
          </Button>
          <span>{progress}</span>
        </p>
      )}
      {question && <ToolQuestion question={question} sessionId={sessionId} />}
    </div>
  );
}

/** The tool, what it is about and how far it has come. */
function CallLine({ call }: { call: ToolCall }) {
  const text = useText();
  const { name, args, state } = call;
  const subject = useMemo(() => subjectOf(args), [args]);
  return (
    <span className="Tool-line">
      {name} ·{' '}
      {subject !== null && (
        <>
          <bdi>{subject}</bdi> ·{' '}
        </>
      )}
      {text(`tools.${state.type}`)}
    </span>
  );
}

function Result({ state }: { state: ToolState }) {
  const text = useText();
  switch (state.type) {
    case 'done':
      return (
        <>
          <h4 className="Tool-heading">{text('tools.returned')}</h4>
          {state.output.withheld && <p className="Tool-note">{text('tools.withheld')}</p>}
          <Words label={text('tools.returned')}>{state.output.text}</Words>
        </>
      );
    case 'failed':
      return (
        <>
          <h4 className="Tool-heading">{text('tools.returned')}</h4>
          <Words label={text('tools.returned')}>{state.message}</Words>
        </>
      );
    case 'pending':
    case 'awaitingApproval':
    case 'running':
    case 'denied':
    case 'cancelled':
      return null;
  }
}

/** What goes in or comes out. More of it than a few lines is scrolled, also by the keyboard. */
function Words({ label, children }: { label: string; children: string }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="Tool-text" tabIndex={0} aria-label={label}>
      {children}
    </pre>
  );
}

/** JSON one value per line; what is no JSON (yet) as it came. */
function indented(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}
