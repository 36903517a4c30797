/**
 * A tool call: its state, progress, arguments, output, and its approval request.
 */
import { useMemo } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { MessageId, SessionId, ToolCall, ToolState } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { hasLongLine } from '../../kit/text/splitLongText';
import { TextPortions } from '../../markdown/render/TextPortions';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { toolCallKey } from '../../state/turn/toolCallKey';
import { useTurn } from '../../state/turn/turnStore';
import { AttachmentView } from '../viewer/AttachmentView';
import { PersistentDisclosure } from '../state/PersistentDisclosure';
import { callSubject } from './callSubject';
import { SupersededReadNote } from './SupersededReadNote';
import { ToolApproval } from './ToolApproval';
import { ToolOutputButton } from './ToolOutputButton';
import { ToolArgsProgress } from './ToolArgsProgress';

/** Of a line of what goes in or comes out, in px. */
const lineHeight = 20;

type ToolPartProps = {
  /** The message that contains the call. */
  messageId: MessageId;
  call: ToolCall;
  sessionId: SessionId;
};

export function ToolPart({ messageId, call, sessionId }: ToolPartProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const { state } = call;
  const key = toolCallKey(messageId, call.callId);
  const question = useTurn(sessionId, ({ questions }) =>
    questions.find((asked) => toolCallKey(asked.messageId, asked.callId) === key),
  );
  const progress = useTurn(sessionId, (turn) => turn.progress[key]);
  const whole = state.type === 'done' ? (state.output.whole ?? null) : null;
  const pictures = state.type === 'done' ? (state.output.pictures ?? []) : [];
  return (
    <div className="Tool" role="group" aria-label={call.name} data-state={state.type}>
      <PersistentDisclosure line={key} label={<ToolCallLine call={call} />}>
        <h4 className="Tool-heading">{text('tools.asked')}</h4>
        <ToolText label={text('tools.asked')}>{formatJson(call.args)}</ToolText>
        <ToolResult state={state} />
      </PersistentDisclosure>
      <ToolArgsProgress messageId={messageId} call={call} sessionId={sessionId} />
      {state.type === 'done' && call.name.endsWith('read_file') && (
        <SupersededReadNote {...{ messageId, sessionId }} callId={call.callId} />
      )}
      {pictures.map((picture) => (
        <AttachmentView key={picture.name} part={{ type: 'image', ...picture }} />
      ))}
      {whole && <ToolOutputButton tool={call.name} whole={whole} />}
      {state.type === 'running' && (
        <p className="Tool-progress">
          {/* First, so that it stays under the pointer when progress is added. */}
          <Button
            kind="quiet"
            icon="stop"
            onClick={() => {
              reportError(commands.cancelTool(sessionId, call.callId));
            }}
          >
            {text('tools.cancel')}
          </Button>
          <span>{progress}</span>
        </p>
      )}
      {question && <ToolApproval question={question} sessionId={sessionId} />}
    </div>
  );
}

/** The tool's name, its subject and its state. */
function ToolCallLine({ call }: { call: ToolCall }) {
  const text = useText();
  const { name, args, state } = call;
  const subject = useMemo(() => callSubject(args), [args]);
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

function ToolResult({ state }: { state: ToolState }) {
  const text = useText();
  switch (state.type) {
    case 'done':
      return (
        <>
          <h4 className="Tool-heading">{text('tools.returned')}</h4>
          {state.output.withheld && <p className="Tool-note">{text('tools.withheld')}</p>}
          <ToolText label={text('tools.returned')}>{state.output.text}</ToolText>
        </>
      );
    case 'failed':
      return (
        <>
          <h4 className="Tool-heading">{text('tools.returned')}</h4>
          <ToolText label={text('tools.returned')}>{state.message}</ToolText>
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

/** Arguments or output. A long text scrolls, also by the keyboard. */
function ToolText({ label, children }: { label: string; children: string }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="Tool-text" tabIndex={0} aria-label={label}>
      {hasLongLine(children) ? (
        <TextPortions text={children} lineHeight={lineHeight}>
          {(portion, at) => (
            <span key={at} className="Tool-portion">
              {portion}
            </span>
          )}
        </TextPortions>
      ) : (
        children
      )}
    </pre>
  );
}

/** Indented JSON; a text that is no JSON (yet) stays as it is. */
function formatJson(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2);
  } catch {
    return args;
  }
}
