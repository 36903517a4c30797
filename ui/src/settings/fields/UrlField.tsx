/**
 * A field for a URL. It saves on blur and Enter. Invalid input stays in the field with an error and is not
 * saved.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { TextField } from '../../kit/fields/TextField';

type UrlFieldProps = {
  label: string;
  hint?: string;
  /** `null`: none. */
  value: string | null;
  onSave: (value: string | null) => void;
};

export function UrlField({ label, hint, value, onSave }: UrlFieldProps) {
  const text = useText();
  const [draft, setDraft] = useState(value ?? '');
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setDraft(value ?? '');
  }
  const typed = draft.trim() === '' ? null : draft.trim();
  const usable = typed === null || /^https?:\/\/[^\s/]+/.test(typed);
  const finish = () => {
    if (usable && typed !== value) onSave(typed);
  };
  return (
    <TextField
      label={label}
      hint={hint}
      type="url"
      value={draft}
      onChange={setDraft}
      error={usable ? undefined : text('settings.addressWrong')}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
      }}
    />
  );
}
