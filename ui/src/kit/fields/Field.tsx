/**
 * The frame of a form control: a label above, a hint and an error below, connected by ids.
 */
import { useId, type ReactNode } from 'react';
import { Icon } from '../controls/Icon';
import { VisuallyHidden } from '../a11y/VisuallyHidden';
import './Field.css';

export type FieldLabels = {
  label: string;
  /** The label is for screen readers only. */
  labelHidden?: boolean | undefined;
  hint?: string | undefined;
  /** Why the value is invalid, and what would help. */
  error?: string | undefined;
};

type FieldControlProps = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

type FieldProps = FieldLabels & { children: (ties: FieldControlProps) => ReactNode };

export function Field({ label, labelHidden = false, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const words = (
    <label className="Field-label" htmlFor={id}>
      {label}
    </label>
  );
  return (
    <div className="Field">
      {labelHidden ? <VisuallyHidden>{words}</VisuallyHidden> : words}
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint && (
        <div className="Field-hint" id={`${id}-hint`}>
          {hint}
        </div>
      )}
      {error && (
        <div className="Field-error" id={`${id}-error`} role="alert">
          <Icon name="warning" />
          {error}
        </div>
      )}
    </div>
  );
}
