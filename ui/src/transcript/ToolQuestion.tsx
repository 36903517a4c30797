/**
 * The question before a tool writes, runs or reaches out: what exactly would happen, and four answers.
 */
import { useRef } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Answer, Preview, Question, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Shown } from '../kit/Shown';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { callKey } from '../state/call';
import { coveredWords } from './covered';
import { Diff } from './Diff';
import { usePlaced } from './inView';

/** What lasts stands back: one call was asked about. */
const answers: readonly [Answer, 'plain' | 'quiet'][] = [
  ['once', 'plain'],
  ['session', 'quiet'],
  ['always', 'quiet'],
  ['deny', 'plain'],
];

/** Whether a call is tried once more lasts for no other. */
const offered = (preview: Preview | null) =>
  preview?.type === 'repeated'
    ? answers.filter(([answer]) => answer === 'once' || answer === 'deny')
    : answers;

export function ToolQuestion({
  question,
  sessionId,
}: {
  question: Question;
  sessionId: SessionId;
}) {
  const text = useText();
  const { commands } = useBackend();
  const attempt = useAttempting(useToast());
  const { messageId, callId, tool, preview } = question;
  const covered = coveredWords(text, question);
  const place = useRef<HTMLDivElement>(null);
  usePlaced(callKey(messageId, callId), place);
  return (
    <div
      ref={place}
      className="Tool-question"
      role="group"
      aria-label={text('tools.question')}
      tabIndex={-1}
    >
      <p>
        <Shown words={text('tools.asks', { tool })} />
      </p>
      {preview && <PreviewView preview={preview} />}
      {covered !== null && (
        <p className="Tool-note">
          <Shown words={covered} />
        </p>
      )}
      <div className="Tool-answers">
        {offered(preview).map(([answer, kind]) => (
          <Button
            key={answer}
            kind={kind}
            data-answer={answer}
            onClick={() => {
              attempt(commands.answerTool(sessionId, callId, answer));
            }}
          >
            {text(`tools.${answer}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}

function PreviewView({ preview }: { preview: Preview }) {
  const text = useText();
  switch (preview.type) {
    case 'command':
      return (
        <>
          <p>
            <Shown words={text('tools.runsIn', { folder: preview.folder })} />
          </p>
          <pre className="Tool-text">
            <Shown words={preview.line} />
          </pre>
        </>
      );
    case 'diff':
      return (
        <>
          <p>
            <Shown words={text('tools.changes', { path: preview.path })} />
          </p>
          <Diff diff={preview.diff} />
          {preview.leftOut && <p>{text('tools.leftOut', preview.leftOut)}</p>}
        </>
      );
    case 'request':
      return (
        <>
          <p>{text('tools.calls')}</p>
          <pre className="Tool-text">
            <Shown words={preview.target} />
          </pre>
        </>
      );
    case 'foreign':
      return (
        <>
          <p>
            <Shown words={text('tools.foreign', { server: preview.server })} />
          </p>
          {preview.changed && <p>{text('tools.toolChanged')}</p>}
          <pre className="Tool-text">
            <Shown words={preview.args} />
          </pre>
        </>
      );
    case 'repeated':
      return (
        <>
          <p>{text('tools.repeated', { times: preview.times })}</p>
          <pre className="Tool-text">
            <Shown words={preview.args} />
          </pre>
        </>
      );
    case 'reminder':
      return (
        <>
          <p>{text('tools.reminds')}</p>
          <pre className="Tool-text">
            <Shown words={preview.content} />
          </pre>
        </>
      );
  }
}
