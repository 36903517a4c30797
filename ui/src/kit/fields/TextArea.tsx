/**
 * A field for several lines of text.
 */
import type { ComponentProps } from 'react';
import { Field, type FieldLabels } from './Field';

type TextAreaProps = FieldLabels &
  Omit<ComponentProps<'textarea'>, 'className' | 'id' | 'value' | 'onChange'> & {
    value: string;
    onChange: (value: string) => void;
  };

export function TextArea({
  label,
  labelHidden,
  hint,
  error,
  value,
  onChange,
  ...rest
}: TextAreaProps) {
  return (
    <Field label={label} labelHidden={labelHidden} hint={hint} error={error}>
      {(ties) => (
        <textarea
          rows={4}
          dir="auto"
          {...rest}
          {...ties}
          className="Input"
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}
