/**
 * "Instructions": what the model is told before every message of a session.
 */
import { useState, type ComponentProps } from 'react';
import { useText, type Text } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId, SessionView } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Dialog } from '../kit/Dialog';
import { LazyDialog } from '../kit/Opening';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { useUnsavedForm } from '../kit/unsaved';
import { useReportError } from '../state/attempt';
import { useDraftSize, useSession } from '../state/reading';
import { useDebounced } from '../state/rested';

type InstructionsDialogProps = { sessionId: SessionId; onClose: () => void };

export function InstructionsDialog({ sessionId, onClose }: InstructionsDialogProps) {
  const text = useText();
  return (
    <LazyDialog title={text('threads.instructions')} size="wide" onClose={onClose}>
      <InstructionsLoader {...{ sessionId, onClose }} />
    </LazyDialog>
  );
}

function InstructionsLoader({ sessionId, onClose }: InstructionsDialogProps) {
  const { data: view } = useSession(sessionId);
  return view && <InstructionsForm view={view} onClose={onClose} />;
}

type InstructionsFormProps = { view: SessionView; onClose: () => void };

function InstructionsForm({ view, onClose }: InstructionsFormProps) {
  const text = useText();
  const attempt = useReportError(useToast());
  const { commands } = useBackend();
  const { id, overrides } = view.session;
  const before = overrides.instructions ?? '';
  const [words, setWords] = useState(before);
  const size = useDraftSize(id, { text: useDebounced(words, 250), attachments: [] });
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
      <InstructionsField
        label={text('threads.instructionsOf', {
          title: view.name ?? text('threads.untitled'),
        })}
        hint={instructionsHint(text, words, size?.tokens ?? null)}
        rows={10}
        before={before}
        value={words}
        onChange={setWords}
      />
    </Dialog>
  );
}

/** Within the dialog, which asks before they are lost. */
function InstructionsField({
  before,
  ...field
}: ComponentProps<typeof TextArea> & { before: string }) {
  useUnsavedForm(field.value !== before);
  return <TextArea {...field} />;
}

/** Words take a token at least: a count of none is that of the empty box, and theirs is still to come. */
function instructionsHint(text: Text, words: string, tokens: number | null): string {
  if (words.trim() === '') return text('threads.instructionsHint');
  return tokens === null || tokens === 0
    ? text('threads.instructionsCounting')
    : text('threads.instructionsTokens', { count: tokens });
}
