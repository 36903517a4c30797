/**
 * Asks for the arguments of a prompt before its text goes into the draft.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { Row, Stack } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import type { PromptTemplate } from './usePromptTemplates';

type PromptDialogProps = {
  prompt: PromptTemplate;
  onClose: () => void;
  onFilled: (values: Readonly<Record<string, string>>) => void;
};

export function PromptDialog({ prompt, onClose, onFilled }: PromptDialogProps) {
  const text = useText();
  return (
    <Dialog title={text('attach.arguments', { name: prompt.title })} onClose={onClose}>
      <PromptForm {...{ prompt, onClose, onFilled }} />
    </Dialog>
  );
}

function PromptForm({ prompt: { arguments: fields }, onClose, onFilled }: PromptDialogProps) {
  const text = useText();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const missing = fields.some(
    ({ name, required }) => required && (values[name] ?? '').trim() === '',
  );
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  useUnsavedForm(Object.keys(filled).length > 0);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!missing) onFilled(filled);
      }}
    >
      <Stack>
        {fields.map(({ name, description, required }) => (
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
