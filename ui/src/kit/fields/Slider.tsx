/**
 * A slider with the browser's keys. It keeps the value that the user moved it to until the owner passes it
 * back: the next step starts from there.
 */
import { useState, type CSSProperties } from 'react';
import { Field, type FieldLabels } from './Field';
import './Slider.css';

type SliderProps = FieldLabels & {
  min: number;
  max: number;
  step: number;
  value: number;
  onChange: (value: number) => void;
  /** The value as text, shown beside the slider and read by screen readers. */
  written: string;
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
  ends,
  disabled,
  ...words
}: SliderProps) {
  const [moved, setMoved] = useState<number | null>(null);
  if (moved === value) setMoved(null);
  const shown = moved ?? value;
  const share: CSSProperties & Record<'--share', string> = {
    '--share': `${((shown - min) / (max - min)) * 100}%`,
  };
  return (
    <Field {...words}>
      {(ties) => (
        <>
          <div className="Slider-line">
            <input
              {...ties}
              className="Slider"
              style={share}
              type="range"
              min={min}
              max={max}
              step={step}
              value={shown}
              disabled={disabled}
              aria-valuetext={written}
              onChange={(event) => {
                setMoved(event.target.valueAsNumber);
                onChange(event.target.valueAsNumber);
              }}
              onBlur={() => {
                setMoved(null);
              }}
            />
            <output className="Slider-value" htmlFor={ties.id} aria-hidden="true">
              {written}
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
