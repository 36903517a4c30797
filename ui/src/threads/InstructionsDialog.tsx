/**
 * "Instructions": what the model is told before every message of a session. Closing keeps what was
 * written; only "Cancel" leaves it as it was.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionId, SessionView } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Dialog } from '../kit/Dialog';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { useEstimate, useSession } from '../state/reading';
import { useRested } from '../state/rested';

type InstructionsDialogProps = { sessionId: SessionId; onClose: () => void };

export function InstructionsDialog({ sessionId, onClose }: InstructionsDialogProps) {
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
  const tokens = useTokens(id, useRested(words, 250));
  const keep = async () => {
    if (words !== before) {
      const instructions = words.trim() === '' ? null : words;
      await commands.setOverrides(id, { ...overrides, instructions });
    }
    onClose();
  };
  const finish = () => {
    attempt(keep());
  };
  return (
    <Dialog
      title={text('threads.instructions')}
      size="wide"
      onClose={finish}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button kind="primary" onClick={finish}>
            {text('threads.keepInstructions')}
          </Button>
        </>
      }
    >
      <TextArea
        label={text('threads.instructionsOf', {
          title: view.session.title ?? text('threads.untitled'),
        })}
        hint={
          tokens === null
            ? text('threads.instructionsHint')
            : text('threads.instructionsTokens', { count: tokens })
        }
        rows={10}
        value={words}
        onChange={setWords}
      />
    </Dialog>
  );
}

const alone = (words: string) => ({
  text: '',
  attachments: [{ type: 'text' as const, text: words }],
});

/** What these words take, beyond the frame of a message they are counted in; null while unknown. */
function useTokens(id: SessionId, words: string): number | null {
  const { data: frame } = useEstimate(id, alone(''));
  const { data: framed } = useEstimate(id, alone(words));
  return frame && framed ? Math.max(0, framed.used.tokens - frame.used.tokens) : null;
}
