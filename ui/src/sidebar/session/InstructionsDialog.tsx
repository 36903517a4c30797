/**
 * "Instructions": what the model is told before every message of a session.
 */
import { useState, type ComponentProps } from 'react';
import { useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId, SessionView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { LazyDialog } from '../../kit/overlays/LazyDialog';
import { TextArea } from '../../kit/fields/TextArea';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { useReportError } from '../../state/text/useReportError';
import { useDraftSize, useSession } from '../../state/queries/queries';
import { useDebounced } from '../../state/hooks/useDebounced';

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
function instructionsHint(text: Translate, words: string, tokens: number | null): string {
  if (words.trim() === '') return text('threads.instructionsHint');
  return tokens === null || tokens === 0
    ? text('threads.instructionsCounting')
    : text('threads.instructionsTokens', { count: tokens });
}
