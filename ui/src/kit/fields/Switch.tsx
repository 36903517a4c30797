/**
 * A switch that takes effect at once.
 */
import { useId } from 'react';
import './Field.css';
import './Switch.css';

type SwitchProps = {
  label: string;
  hint?: string | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
};

export function Switch({ label, hint, checked, onChange, disabled = false }: SwitchProps) {
  const id = useId();
  return (
    <div className="Switch">
      <div className="Switch-words">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <div className="Field-hint" id={`${id}-hint`}>
            {hint}
          </div>
        )}
      </div>
      <input
        id={id}
        className="Switch-input"
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={checked}
        disabled={disabled}
        onChange={(event) => {
          onChange(event.target.checked);
        }}
      />
    </div>
  );
}
