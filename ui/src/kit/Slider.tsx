/**
 * A number between two ends, in steps; arrows, Page keys, Home and End work as the browser has them.
 */
import type { CSSProperties } from 'react';
import { Field, type FieldWords } from './Field';
import './Slider.css';

type SliderProps = FieldWords & {
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
  const share: CSSProperties & Record<'--share', string> = {
    '--share': `${((value - min) / (max - min)) * 100}%`,
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
              value={value}
              disabled={disabled}
              aria-valuetext={written}
              onChange={(event) => {
                onChange(event.target.valueAsNumber);
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
