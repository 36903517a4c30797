/**
 * The question before a tool writes, runs or reaches out: what exactly would happen, and four answers, which
 * it takes once it has stood still for a moment.
 */
import { useRef } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Answer, Preview, Question, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { useSettled } from '../kit/settled';
import { ariaKeys, Shortcut } from '../kit/Shortcut';
import { Shown } from '../kit/Shown';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { answerKeys } from '../state/answerKeys';
import { callKey } from '../state/call';
import { useAnswerKeys } from './answering';
import { coveredWords } from './covered';
import { Diff } from './Diff';
import { useInView, usePlaced } from './inView';

/** What lasts stands back, and has no key: one call was asked about. */
const answers: readonly { answer: Answer; kind: 'plain' | 'quiet'; keys?: string }[] = [
  { answer: 'once', kind: 'plain', keys: answerKeys.once },
  { answer: 'session', kind: 'quiet' },
  { answer: 'always', kind: 'quiet' },
  { answer: 'deny', kind: 'plain', keys: answerKeys.deny },
];

/** Whether a call is tried once more lasts for no other. */
const offered = (preview: Preview | null) =>
  preview?.type === 'repeated'
    ? answers.filter(({ answer }) => answer === 'once' || answer === 'deny')
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
  const buttons = useRef<HTMLDivElement>(null);
  const { settled, answer: whenSettled } = useSettled(buttons);
  const key = callKey(messageId, callId);
  usePlaced(key, place);
  const answerWith = (answer: Answer) => {
    whenSettled(() => {
      attempt(commands.answerTool(sessionId, callId, answer));
    });
  };
  const inView = useInView(key);
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
      <div ref={buttons} className="Tool-answers">
        {offered(preview).map(({ answer, kind, keys }) => (
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
      {inView && <AnswerKeys onAnswer={answerWith} />}
    </div>
  );
}

/** There while the question is in view. */
function AnswerKeys({ onAnswer }: { onAnswer: (answer: Answer) => void }) {
  useAnswerKeys(onAnswer);
  return null;
}

/** Text that would be used. More of it than a few lines is scrolled, also by the keyboard. */
function Used({ children }: { children: string }) {
  const text = useText();
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="Tool-text" tabIndex={0} aria-label={text('tools.used')}>
      <Shown words={children} />
    </pre>
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
          <Used>{preview.line}</Used>
        </>
      );
    case 'diff':
      return (
        <>
          <p>
            <Shown words={text('tools.changes', { path: preview.path })} />
          </p>
          <Diff label={text('tools.used')} diff={preview.diff} />
          {preview.leftOut && <p>{text('tools.leftOut', preview.leftOut)}</p>}
        </>
      );
    case 'request':
      return (
        <>
          <p>{text('tools.calls')}</p>
          <Used>{preview.target}</Used>
        </>
      );
    case 'foreign':
      return (
        <>
          <p>
            <Shown words={text('tools.foreign', { server: preview.server })} />
          </p>
          {preview.changed && <p>{text('tools.toolChanged')}</p>}
          <Used>{preview.args}</Used>
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
          <Used>{preview.content}</Used>
        </>
      );
  }
}
