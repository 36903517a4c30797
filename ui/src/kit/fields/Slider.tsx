/**
 * A slider with the browser's keys. It keeps the value that the user moved it to until the owner passes it
 * back: the next step starts from there. `onChange` is called when the user releases it.
 */
import { useEffect, useEffectEvent, useRef, useState, type CSSProperties } from 'react';
import { Field, type FieldLabels } from './Field';
import './Slider.css';

type SliderProps = Omit<FieldLabels, 'hint'> & {
  min: number;
  max: number;
  step: number;
  value: number;
  onChange: (value: number) => void;
  /** A value as text, shown beside the slider and read by screen readers. */
  written: (value: number) => string;
  hint?: (value: number) => string;
  /** The labels of the two ends. */
  ends?: readonly [low: string, high: string];
  disabled?: boolean;
};

export function Slider({
  min,
  max,
  step,
  value,
  onChange,
  written,
  hint,
  ends,
  disabled,
  ...words
}: SliderProps) {
  const input = useRef<HTMLInputElement>(null);
  const release = useEffectEvent(() => {
    if (input.current) onChange(input.current.valueAsNumber);
  });
  // React's `onChange` is the DOM's `input`: it comes with every step of a drag, `change` with its end.
  useEffect(() => {
    const element = input.current;
    const released = () => {
      release();
    };
    element?.addEventListener('change', released);
    return () => {
      element?.removeEventListener('change', released);
    };
  }, []);
  const [moved, setMoved] = useState<number | null>(null);
  if (moved === value) setMoved(null);
  const shown = moved ?? value;
  const share: CSSProperties & Record<'--share', string> = {
    '--share': `${((shown - min) / (max - min)) * 100}%`,
  };
  return (
    <Field {...words} hint={hint?.(shown)}>
      {(ties) => (
        <>
          <div className="Slider-line">
            <input
              {...ties}
              ref={input}
              className="Slider"
              style={share}
              type="range"
              min={min}
              max={max}
              step={step}
              value={shown}
              disabled={disabled}
              aria-valuetext={written(shown)}
              onChange={(event) => {
                setMoved(event.target.valueAsNumber);
              }}
              onBlur={() => {
                setMoved(null);
              }}
            />
            <output className="Slider-value" htmlFor={ties.id} aria-hidden="true">
              {written(shown)}
            </output>
          </div>
          {ends && (
            <div className="Slider-ends">
              <span>{ends[0]}</span>
              <span>{ends[1]}</span>
            </div>
          )}
        </>
      )}
    </Field>
  );
}
