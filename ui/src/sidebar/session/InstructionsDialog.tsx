/**
 * "Instructions": the text that is sent to the model before every message of a session.
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
import { useDraftSize } from '../../state/queries/estimateQueries';
import { useSession } from '../../state/queries/queries';
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
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const { id, overrides } = view.session;
  const initial = overrides.instructions ?? '';
  const [instructions, setInstructions] = useState(initial);
  const size = useDraftSize(id, { text: useDebounced(instructions, 250), attachments: [] });
  const save = async () => {
    if (instructions !== initial) {
      const value = instructions.trim() === '' ? null : instructions;
      await commands.setOverride(id, { name: 'instructions', value });
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
              reportError(save());
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
        hint={instructionsHint(text, instructions, size?.tokens ?? null)}
        rows={10}
        initial={initial}
        value={instructions}
        onChange={setInstructions}
      />
    </Dialog>
  );
}

/** A component of its own: the guard for unsaved input looks for the dialog around it. */
function InstructionsField({
  initial,
  ...field
}: ComponentProps<typeof TextArea> & { initial: string }) {
  useUnsavedForm(field.value !== initial);
  return <TextArea {...field} />;
}

/** A text has at least one token: 0 is the count of the empty field, and the new count is under way. */
function instructionsHint(text: Translate, instructions: string, tokens: number | null): string {
  if (instructions.trim() === '') return text('threads.instructionsHint');
  return tokens === null || tokens === 0
    ? text('threads.instructionsCounting')
    : text('threads.instructionsTokens', { count: tokens });
}
