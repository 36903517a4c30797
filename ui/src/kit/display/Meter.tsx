/**
 * A bar for a used amount, with marks at the values where something happens.
 */
import type { CSSProperties } from 'react';
import './Meter.css';

type MeterProps = {
  label: string;
  /** In the same unit: the used amount and the total. A larger value is drawn as full. */
  value: number;
  max: number;
  /** The value as text, for screen readers. */
  written: string;
  level?: 'normal' | 'caution' | 'critical';
  /** In the unit of `value`. */
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
