/**
 * How much of something is used, with marks at the values where something happens.
 */
import type { CSSProperties } from 'react';
import './Meter.css';

type MeterProps = {
  label: string;
  /** In the same unit: used, of all there is. More than all is drawn as all. */
  value: number;
  max: number;
  /** The value in words, read aloud. */
  written: string;
  level?: 'normal' | 'caution' | 'critical';
  /** Values to mark, in the unit of `value`. */
  ticks?: readonly number[];
};

type ShareStyle = CSSProperties & Record<'--share', string>;

export function Meter({ label, value, max, written, level = 'normal', ticks = [] }: MeterProps) {
  const share = (part: number): ShareStyle => ({
    '--share': `${max > 0 ? Math.min(100, Math.max(0, (part / max) * 100)) : 0}%`,
  });
  return (
    <div
      className="Meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={written}
    >
      <div className="Meter-bar">
        <div className="Meter-fill" data-level={level} style={share(value)} />
      </div>
      {ticks.map((tick) => (
        <div key={tick} className="Meter-tick" style={share(tick)} />
      ))}
    </div>
  );
}
