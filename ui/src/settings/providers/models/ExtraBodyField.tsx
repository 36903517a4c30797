/**
 * Extra fields for the body of every request to a model, as JSON. Saved on blur. Invalid input stays in the
 * field with an error and is not saved.
 */
import { useState } from 'react';
import { useText } from '../../../i18n';
import type { ModelOverride } from '../../../ipc/bindings';
import { TextArea } from '../../../kit/fields/TextArea';
import { useUnsavedForm } from '../../../kit/overlays/unsavedGuard';

type ExtraBody = NonNullable<ModelOverride['fields']>;

type ExtraBodyFieldProps = { value: ExtraBody; onSave: (fields: ExtraBody) => void };

export function ExtraBodyField({ value, onSave }: ExtraBodyFieldProps) {
  const text = useText();
  const saved = formatExtraBody(value);
  const [draft, setDraft] = useState(saved);
  const [shown, setShown] = useState(saved);
  if (shown !== saved) {
    setShown(saved);
    setDraft(saved);
  }
  const fields = parseExtraBody(draft);
  useUnsavedForm(fields === null);
  return (
    <TextArea
      label={text('settings.modelFields')}
      hint={text('settings.modelFieldsHint')}
      error={fields === null ? text('settings.modelFieldsWrong') : undefined}
      placeholder={'{ "temperature": 0.7, "top_p": 0.9 }'}
      spellCheck={false}
      value={draft}
      onChange={setDraft}
      onBlur={() => {
        if (fields !== null && formatExtraBody(fields) !== saved) onSave(fields);
      }}
    />
  );
}

const formatExtraBody = (fields: ExtraBody) =>
  Object.keys(fields).length === 0 ? '' : JSON.stringify(fields, null, 2);

/** An empty text is no fields; null: the text is no JSON object. */
function parseExtraBody(draft: string): ExtraBody | null {
  if (draft.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(draft);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as ExtraBody)
      : null;
  } catch {
    return null;
  }
}
