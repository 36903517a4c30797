/**
 * A field for a typed value, such as a decimal or a currency. It saves on blur and Enter. Invalid input stays
 * in the field with an error and is not saved.
 */
import { useState } from 'react';
import { TextField } from '../../kit/fields/TextField';

export const isDecimal = (typed: string) => /^(\d+\.?\d*|\.\d+)$/.test(typed);
export const isCurrency = (typed: string) => /^[A-Z]{3}$/.test(typed);
export const withPoint = (typed: string) => typed.replace(/[,，]/g, '.');

type TypedFieldProps = {
  label: string;
  hint?: string | undefined;
  value: string;
  normalize: (typed: string) => string;
  /** Why it cannot be used; null: it can. */
  error: (typed: string) => string | null;
  onSave: (typed: string | null) => void;
};

export function TypedField({ value, normalize, error, onSave, ...words }: TypedFieldProps) {
  const [draft, setDraft] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setDraft(value);
  }
  const typed = normalize(draft.trim());
  const wrong = typed === '' ? null : error(typed);
  const finish = () => {
    if (wrong === null && typed !== value) onSave(typed === '' ? null : typed);
  };
  return (
    <TextField
      {...words}
      value={draft}
      onChange={setDraft}
      error={wrong ?? undefined}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
      }}
    />
  );
}
