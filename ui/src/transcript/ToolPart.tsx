/**
 * A tool call and what came of it; where the person is asked, the question.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Answer, Preview, SessionId, ToolCall } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Disclosure } from '../kit/Disclosure';
import { useTurn } from '../state/turn';

export function ToolPart({ call, sessionId }: { call: ToolCall; sessionId: SessionId }) {
  const text = useText();
  const { commands } = useBackend();
  const { state } = call;
  const question = useTurn(sessionId, ({ questions }) =>
    questions.find(({ callId }) => callId === call.callId),
  );
  const progress = useTurn(sessionId, (turn) => turn.progress[call.callId]);
  const stateName = text(`tools.${state.type}`);
  const answers: readonly Answer[] = ['once', 'session', 'always', 'deny'];
  return (
    <div className="Tool">
      <Disclosure label={[call.name, stateName].join(' · ')}>
        <pre className="Tool-text">{call.args}</pre>
        {state.type === 'done' && <pre className="Tool-text">{state.output.text}</pre>}
        {state.type === 'failed' && <pre className="Tool-text">{state.message}</pre>}
      </Disclosure>
      {state.type === 'running' && (
        <p className="Tool-progress">
          {progress}
          <Button
            kind="quiet"
            icon="stop"
            onClick={() => void commands.cancelTool(sessionId, call.callId)}
          >
            {text('tools.cancel')}
          </Button>
        </p>
      )}
      {question && (
        <div className="Tool-question" role="group" aria-label={text('tools.question')}>
          <p>{text('tools.asks', { tool: call.name })}</p>
          {question.preview && <PreviewView preview={question.preview} />}
          {answers.map((answer) => (
            <Button
              key={answer}
              kind={answer === 'deny' ? 'danger' : 'plain'}
              onClick={() => void commands.answerTool(sessionId, call.callId, answer)}
            >
              {text(`tools.${answer}`)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

function PreviewView({ preview }: { preview: Preview }) {
  switch (preview.type) {
    case 'command':
      return <pre className="Tool-text">{[preview.folder, preview.line].join('\n')}</pre>;
    case 'diff':
      return <pre className="Tool-text">{preview.diff}</pre>;
    case 'request':
      return <pre className="Tool-text">{preview.target}</pre>;
    case 'foreign':
      return <pre className="Tool-text">{[preview.server, preview.args].join('\n')}</pre>;
    case 'unclear':
      return <pre className="Tool-text">{preview.reason}</pre>;
  }
}
