/**
 * The reasoning effort for one model.
 */
import { useText } from '../../../i18n';
import type { ReasoningEffort } from '../../../ipc/bindings';
import { Select } from '../../../kit/fields/Select';

const efforts = [
  'default',
  'off',
  'low',
  'medium',
  'high',
] as const satisfies readonly ReasoningEffort[];

type EffortSelectProps = {
  value: ReasoningEffort;
  /** The effort that is sent because the model does not take the chosen one; null: the chosen one. */
  sentInstead: ReasoningEffort | null;
  onChange: (effort: ReasoningEffort) => void;
};

export function EffortSelect({ value, sentInstead, onChange }: EffortSelectProps) {
  const text = useText();
  const hint = sentInstead
    ? text('settings.effortInstead', { effort: text(`composer.effort_${sentInstead}`) })
    : undefined;
  return (
    <Select
      label={text('composer.effort')}
      labelHidden
      quiet
      hint={hint}
      options={efforts.map((effort) => ({
        value: effort,
        label: text(`composer.effort_${effort}`),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
