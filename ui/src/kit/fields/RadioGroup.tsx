/**
 * A choice of a few, all visible, each with a hint.
 */
import { useId } from 'react';
import './Field.css';
import './RadioGroup.css';

type RadioGroupProps<Value extends string> = {
  label: string;
  choices: readonly { value: Value; label: string; hint?: string }[];
  value: Value;
  onChange: (value: Value) => void;
  disabled?: boolean;
};

export function RadioGroup<Value extends string>({
  label,
  choices,
  value,
  onChange,
  disabled = false,
}: RadioGroupProps<Value>) {
  const id = useId();
  return (
    <div className="RadioGroup" role="radiogroup" aria-labelledby={id}>
      <div className="Field-label" id={id}>
        {label}
      </div>
      {choices.map((choice) => (
        <div key={choice.value} className="RadioGroup-choice">
          <input
            id={`${id}-${choice.value}`}
            type="radio"
            name={id}
            checked={choice.value === value}
            disabled={disabled}
            aria-describedby={choice.hint ? `${id}-${choice.value}-hint` : undefined}
            onChange={() => {
              onChange(choice.value);
            }}
          />
          <label htmlFor={`${id}-${choice.value}`}>{choice.label}</label>
          {choice.hint && (
            <div className="Field-hint" id={`${id}-${choice.value}-hint`}>
              {choice.hint}
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
