/**
 * How hard one model is asked to think.
 */
import { useText } from '../i18n';
import type { Effort } from '../ipc/bindings';
import { Select } from '../kit/Select';

const efforts = ['default', 'off', 'low', 'medium', 'high'] as const satisfies readonly Effort[];

type EffortSelectProps = { value: Effort; onChange: (effort: Effort) => void };

export function EffortSelect({ value, onChange }: EffortSelectProps) {
  const text = useText();
  return (
    <Select
      label={text('settings.effort')}
      labelHidden
      quiet
      options={efforts.map((effort) => ({
        value: effort,
        label: text(`settings.effort_${effort}`),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
