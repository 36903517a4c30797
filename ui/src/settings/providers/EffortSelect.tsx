/**
 * How hard one model is asked to think.
 */
import { useText } from '../../i18n';
import type { Effort } from '../../ipc/bindings';
import { Select } from '../../kit/fields/Select';

const efforts = ['default', 'off', 'low', 'medium', 'high'] as const satisfies readonly Effort[];

type EffortSelectProps = {
  value: Effort;
  /** What the model is asked for because it takes no such thing; null: what is chosen. */
  instead: Effort | null;
  onChange: (effort: Effort) => void;
};

export function EffortSelect({ value, instead, onChange }: EffortSelectProps) {
  const text = useText();
  const hint = instead
    ? text('settings.effortInstead', { effort: text(`settings.effort_${instead}`) })
    : undefined;
  return (
    <Select
      label={text('settings.effort')}
      labelHidden
      quiet
      hint={hint}
      options={efforts.map((effort) => ({
        value: effort,
        label: text(`settings.effort_${effort}`),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
