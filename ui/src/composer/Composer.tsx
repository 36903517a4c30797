/**
 * The box: what is written is kept as a draft, counted, and sent to the chosen model.
 */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ContentPart, SessionView } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Icon } from '../kit/Icon';
import { IconButton } from '../kit/IconButton';
import { ofInputMethod } from '../kit/shortcuts';
import { useToast } from '../kit/Toast';
import { asFault, useActions } from '../state/actions';
import { faultWords } from '../state/faults';
import { useTurn } from '../state/turn';
import { runCommand } from './commands';
import { EstimateButton } from './EstimateButton';
import { HealthPie } from './HealthPie';
import { ModelMenu } from './ModelMenu';
import './Composer.css';

type ComposerProps = {
  view: SessionView;
  onEstimate: () => void;
  onNewThread: () => void;
};

export function Composer({ view, onEstimate, onNewThread }: ComposerProps) {
  const text = useText();
  const toast = useToast();
  const { commands, desktop } = useBackend();
  const sessionId = view.session.id;
  const actions = useActions(sessionId);
  const running = useTurn(sessionId, (turn) => turn.running);
  const [words, setWords] = useState(view.draft.text);
  const [attachments, setAttachments] = useState<ContentPart[]>(view.draft.attachments);
  const box = useRef<HTMLTextAreaElement>(null);
  const rested = useRested(words, 250);

  const failed = (thrown: unknown) => {
    toast({ words: faultWords(text, asFault(thrown)), failed: true });
  };

  // A message that could not be answered comes back into the box.
  const [returned, setReturned] = useState(view.draft);
  if (returned !== view.draft) {
    setReturned(view.draft);
    if (words === '') setWords(view.draft.text);
    if (attachments.length === 0) setAttachments(view.draft.attachments);
  }

  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    void commands.saveDraft(sessionId, { text: rested, attachments });
  }, [rested, attachments, sessionId, commands]);

  const send = () => {
    if (running || (words.trim() === '' && attachments.length === 0)) return;
    const command = runCommand(words, { commands, sessionId, view, onEstimate, onNewThread });
    setWords('');
    if (command) {
      command.catch(failed);
      return;
    }
    const parts: ContentPart[] = words.trim() === '' ? [] : [{ type: 'text', text: words }];
    setAttachments([]);
    void actions.send([...parts, ...attachments]);
  };

  const attach = async () => {
    for (const path of await desktop.pickFiles(text('composer.attach'), [])) {
      const part = await commands.attachFile(path);
      setAttachments((now) => [...now, part]);
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // The Enter that ends an input method's composition never sends (webview.md: keydown 229).
    if (ofInputMethod(event.nativeEvent)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    }
    if (event.key === 'Escape' && running) void actions.stop();
  };

  return (
    <div className="Composer">
      {attachments.length > 0 && (
        <ul className="Composer-files" aria-label={text('composer.attachments')}>
          {attachments.map((part, at) => (
            <li key={at}>
              <Icon name={part.type === 'image' ? 'image' : 'file'} />
              {'name' in part ? part.name : ''}
              <IconButton
                label={text('composer.remove')}
                icon="close"
                onClick={() => {
                  setAttachments(attachments.filter((_, other) => other !== at));
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={box}
        className="Composer-box"
        aria-label={text('composer.message')}
        placeholder={text('composer.placeholder')}
        rows={Math.min(12, Math.max(2, words.split('\n').length))}
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="Composer-edge">
        <IconButton
          label={text('composer.attach')}
          icon="attach"
          onClick={() => {
            attach().catch(failed);
          }}
        />
        <ModelMenu view={view} />
        <span className="Composer-space" />
        <HealthPie sessionId={sessionId} />
        <EstimateButton sessionId={sessionId} words={rested} onOpen={onEstimate} />
        {running ? (
          <Button icon="stop" onClick={() => void actions.stop()}>
            {text('composer.stop')}
          </Button>
        ) : (
          <Button kind="primary" icon="send" onClick={send}>
            {text('composer.send')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A value that changes only after it has rested for a while, in ms. */
function useRested<Value>(value: Value, rest: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(value);
    }, rest);
    return () => {
      clearTimeout(timer);
    };
  }, [value, rest]);
  return rested;
}
