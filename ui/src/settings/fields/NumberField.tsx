/**
 * A field for a whole number. It saves on blur and Enter. Invalid input stays in the field with an error
 * and is not saved.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { TextField } from '../../kit/fields/TextField';

type NumberFieldProps = {
  label: string;
  labelHidden?: boolean;
  hint?: string | undefined;
  value: number | null;
  min: number;
  max?: number;
  /** The field may be empty. */
  optional?: boolean;
  onSave: (value: number | null) => void;
};

const formatNumber = (value: number | null) => (value === null ? '' : String(value));

export function NumberField({
  value,
  min,
  max = Number.MAX_SAFE_INTEGER,
  optional = false,
  onSave,
  ...words
}: NumberFieldProps) {
  const text = useText();
  const [draft, setDraft] = useState(formatNumber(value));
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setDraft(formatNumber(value));
  }
  const digits = draft.replace(/[\s,_，]/g, '');
  const number = /^\d+$/.test(digits) ? Number(digits) : null;
  const usable = number === null ? optional && digits === '' : number >= min && number <= max;
  const wrong =
    max === Number.MAX_SAFE_INTEGER
      ? text('settings.atLeast', { min })
      : text('settings.between', { min, max });
  const finish = () => {
    if (!usable || number === value) return;
    onSave(number);
    if (number === null) setDraft(formatNumber(value));
  };
  return (
    <TextField
      {...words}
      inputMode="numeric"
      value={draft}
      onChange={setDraft}
      error={usable ? undefined : wrong}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
      }}
    />
  );
}
