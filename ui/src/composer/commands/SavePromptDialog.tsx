/**
 * Keeps words as a prompt of the person's own, under a name they give it.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SavePromptResult } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { Row, Stack } from '../../kit/display/Stack';
import { TextArea } from '../../kit/fields/TextArea';
import { TextField } from '../../kit/fields/TextField';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { useReportError } from '../../state/text/useReportError';

type SavePromptDialogProps = { words: string; onSaved: () => void; onClose: () => void };

export function SavePromptDialog(props: SavePromptDialogProps) {
  const text = useText();
  return (
    <Dialog title={text('commands.promptTitle')} onClose={props.onClose}>
      <SavePromptForm {...props} />
    </Dialog>
  );
}

function SavePromptForm({ words: before, onSaved, onClose }: SavePromptDialogProps) {
  const text = useText();
  const toast = useToast();
  const attempt = useReportError(toast);
  const { commands } = useBackend();
  const [name, setName] = useState('');
  const [words, setWords] = useState(before);
  const [refused, setRefused] = useState<Exclude<SavePromptResult['type'], 'saved'> | null>(null);
  const missing = name.trim() === '' || words.trim() === '';
  useUnsavedForm(name !== '' || words !== before);
  const save = async () => {
    const answer = await commands.savePrompt(name, words);
    if (answer.type === 'saved') {
      toast({ words: text('commands.promptSaved', { name: answer.name }) });
      onSaved();
    } else {
      setRefused(answer.type);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) attempt(save());
      }}
    >
      <Stack>
        <TextField
          label={text('commands.promptName')}
          hint={text('commands.promptNameHint')}
          error={refused ? text(`commands.prompt_${refused}`) : undefined}
          value={name}
          onChange={(value) => {
            setName(value);
            setRefused(null);
          }}
        />
        <TextArea
          label={text('commands.promptWords')}
          hint={text('commands.promptWordsHint', { variable: '{{…}}' })}
          rows={8}
          value={words}
          onChange={setWords}
        />
        <Row>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button submit kind="primary" disabled={missing}>
            {text('commands.promptSave')}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
