/**
 * "Instructions": what the model is told before every message of a session.
 */
import { useState, type ComponentProps } from 'react';
import { useText, type Text } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId, SessionView } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Dialog } from '../kit/Dialog';
import { Opening } from '../kit/Opening';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { useUnsaved } from '../kit/unsaved';
import { useAttempting } from '../state/attempt';
import { useDraftSize, useSession } from '../state/reading';
import { useRested } from '../state/rested';

type InstructionsDialogProps = { sessionId: SessionId; onClose: () => void };

export function InstructionsDialog({ sessionId, onClose }: InstructionsDialogProps) {
  const text = useText();
  return (
    <Opening title={text('threads.instructions')} size="wide" onClose={onClose}>
      <Read {...{ sessionId, onClose }} />
    </Opening>
  );
}

function Read({ sessionId, onClose }: InstructionsDialogProps) {
  const { data: view } = useSession(sessionId);
  return view && <OpenInstructions view={view} onClose={onClose} />;
}

type OpenInstructionsProps = { view: SessionView; onClose: () => void };

function OpenInstructions({ view, onClose }: OpenInstructionsProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const { commands } = useBackend();
  const { id, overrides } = view.session;
  const before = overrides.instructions ?? '';
  const [words, setWords] = useState(before);
  const size = useDraftSize(id, { text: useRested(words, 250), attachments: [] });
  const keep = async () => {
    if (words !== before) {
      const instructions = words.trim() === '' ? null : words;
      await commands.setOverride(id, { name: 'instructions', value: instructions });
    }
    onClose();
  };
  return (
    <Dialog
      title={text('threads.instructions')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button
            kind="primary"
            onClick={() => {
              attempt(keep());
            }}
          >
            {text('threads.keepInstructions')}
          </Button>
        </>
      }
    >
      <Words
        label={text('threads.instructionsOf', {
          title: view.name ?? text('threads.untitled'),
        })}
        hint={hintOf(text, words, size?.tokens ?? null)}
        rows={10}
        before={before}
        value={words}
        onChange={setWords}
      />
    </Dialog>
  );
}

/** Within the dialog, which asks before they are lost. */
function Words({ before, ...field }: ComponentProps<typeof TextArea> & { before: string }) {
  useUnsaved(field.value !== before);
  return <TextArea {...field} />;
}

/** Words take a token at least: a count of none is that of the empty box, and theirs is still to come. */
function hintOf(text: Text, words: string, tokens: number | null): string {
  if (words.trim() === '') return text('threads.instructionsHint');
  return tokens === null || tokens === 0
    ? text('threads.instructionsCounting')
    : text('threads.instructionsTokens', { count: tokens });
}
