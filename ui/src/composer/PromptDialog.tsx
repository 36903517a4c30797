/**
 * What a server's prompt asks for, before it becomes text in the box.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { Dialog } from '../kit/Dialog';
import { Row, Stack } from '../kit/Stack';
import { TextField } from '../kit/TextField';
import { useUnsaved } from '../kit/unsaved';
import type { PromptCommand } from '../state/servers';

type PromptDialogProps = {
  command: PromptCommand;
  onClose: () => void;
  onFilled: (values: Readonly<Record<string, string>>) => void;
};

export function PromptDialog({ command, onClose, onFilled }: PromptDialogProps) {
  const text = useText();
  const { prompt } = command;
  return (
    <Dialog
      title={text('attach.arguments', { name: prompt.title ?? prompt.name })}
      onClose={onClose}
    >
      <PromptForm {...{ command, onClose, onFilled }} />
    </Dialog>
  );
}

function PromptForm({ command: { prompt }, onClose, onFilled }: PromptDialogProps) {
  const text = useText();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const missing = prompt.arguments.some(
    ({ name, required }) => required && (values[name] ?? '').trim() === '',
  );
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  useUnsaved(Object.keys(filled).length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) onFilled(filled);
      }}
    >
      <Stack>
        {prompt.arguments.map(({ name, description, required }) => (
          <TextField
            key={name}
            label={required ? name : text('attach.optional', { name })}
            hint={description ?? undefined}
            value={values[name] ?? ''}
            onChange={(value) => {
              setValues({ ...values, [name]: value });
            }}
          />
        ))}
        <Row>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button submit kind="primary" disabled={missing}>
            {text('attach.insert')}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
