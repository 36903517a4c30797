/**
 * A number between two ends, in steps; arrows, Page keys, Home and End work as the browser has them.
 * It stays where it was moved to while its owner takes the value in: the next step starts from there.
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
  /** The value in words: shown beside it and read aloud. */
  written: string;
  /** What either end means. */
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
