/**
 * A field for one line of text.
 */
import type { ComponentProps } from 'react';
import { Field, type FieldLabels } from './Field';

type TextFieldProps = FieldLabels &
  Omit<ComponentProps<'input'>, 'className' | 'id' | 'value' | 'onChange' | 'type'> & {
    type?: 'text' | 'password' | 'url';
    value: string;
    onChange: (value: string) => void;
  };

export function TextField({
  label,
  labelHidden,
  hint,
  error,
  value,
  onChange,
  type = 'text',
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} labelHidden={labelHidden} hint={hint} error={error}>
      {(ties) => (
        <input
          spellCheck={false}
          autoComplete="off"
          {...rest}
          {...ties}
          // WebKit gives a password field no role. The typed text stays hidden.
          role={type === 'password' ? 'textbox' : undefined}
          className="Input"
          type={type}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}
