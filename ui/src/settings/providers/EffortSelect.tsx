/**
 * How hard one model is asked to think.
 */
import { useText } from '../../i18n';
import type { ReasoningEffort } from '../../ipc/bindings';
import { Select } from '../../kit/fields/Select';

const efforts = [
  'default',
  'off',
  'low',
  'medium',
  'high',
] as const satisfies readonly ReasoningEffort[];

type EffortSelectProps = {
  value: ReasoningEffort;
  /** What the model is asked for because it takes no such thing; null: what is chosen. */
  instead: ReasoningEffort | null;
  onChange: (effort: ReasoningEffort) => void;
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
