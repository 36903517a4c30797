/**
 * What the person may set for one model beside its size. An empty field follows the value that stands
 * below it.
 */
import { useFormats, useText } from '../../i18n';
import type { ModelChange, ModelLimits as Limits } from '../../ipc/bindings';
import { Stack } from '../../kit/display/Stack';
import { assumedWindow } from '../../state/models/modelRef';
import { NumberField } from '../fields/NumberField';

const fields = [
  ['compactionThreshold', 'settings.thresholdPercent', { min: 40, max: 90 }],
  ['outputReserve', 'settings.outputReserve', { min: 0 }],
  ['optimalMaxTokens', 'settings.optimalMaxTokens', { min: 1 }],
  ['criticalMaxTokens', 'settings.criticalMaxTokens', { min: 1 }],
  ['cautionRemediationCadenceGenerations', 'settings.cautionCadence', { min: 1 }],
] as const;

type ModelLimitFieldsProps = {
  own: Limits;
  follows: Limits;
  /** Whether anybody knows what it holds. */
  known: boolean;
  onChange: (change: ModelChange) => void;
};

export function ModelLimitFields({ own, follows, known, onChange }: ModelLimitFieldsProps) {
  const text = useText();
  const formats = useFormats();
  const followed = (value: number | null) =>
    value === null
      ? text('settings.followsUnknown')
      : text('settings.follows', { value: formats.exact(value) });
  return (
    <Stack>
      {!known && <p>{text('settings.limitsWait', { tokens: formats.exact(assumedWindow) })}</p>}
      {fields.map(([key, label, range]) => (
        <NumberField
          key={key}
          label={text(label)}
          hint={followed(follows[key] ?? null)}
          value={own[key] ?? null}
          {...range}
          optional
          onSave={(value) => {
            onChange({ type: key, value });
          }}
        />
      ))}
    </Stack>
  );
}
