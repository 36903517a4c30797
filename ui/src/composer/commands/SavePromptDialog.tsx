/**
 * Saves a text as one of the user's own prompts, under a name that the user gives it.
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

type SavePromptDialogProps = { initialText: string; onSaved: () => void; onClose: () => void };

export function SavePromptDialog(props: SavePromptDialogProps) {
  const text = useText();
  return (
    <Dialog title={text('commands.promptTitle')} onClose={props.onClose}>
      <SavePromptForm {...props} />
    </Dialog>
  );
}

function SavePromptForm({ initialText, onSaved, onClose }: SavePromptDialogProps) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { commands } = useBackend();
  const [name, setName] = useState('');
  const [body, setBody] = useState(initialText);
  const [rejected, setRejected] = useState<Exclude<SavePromptResult['type'], 'saved'> | null>(null);
  const missing = name.trim() === '' || body.trim() === '';
  useUnsavedForm(name !== '' || body !== initialText);
  const save = async () => {
    const result = await commands.savePrompt(name, body);
    if (result.type === 'saved') {
      toast({ words: text('commands.promptSaved', { name: result.name }) });
      onSaved();
    } else {
      setRejected(result.type);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) reportError(save());
      }}
    >
      <Stack>
        <TextField
          label={text('commands.promptName')}
          hint={text('commands.promptNameHint')}
          error={rejected ? text(`commands.prompt_${rejected}`) : undefined}
          value={name}
          onChange={(value) => {
            setName(value);
            setRejected(null);
          }}
        />
        <TextArea
          label={text('commands.promptWords')}
          hint={text('commands.promptWordsHint', { variable: '{{…}}' })}
          rows={8}
          value={body}
          onChange={setBody}
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
