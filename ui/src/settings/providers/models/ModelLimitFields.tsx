/**
 * The user's limits for one model, beside its context window. An empty field uses the default that its hint
 * shows.
 */
import { useFormats, useText } from '../../../i18n';
import type { ModelChange, ModelLimits as Limits } from '../../../ipc/bindings';
import { Stack } from '../../../kit/display/Stack';
import { assumedWindow } from '../../../state/models/modelRef';
import { NumberField } from '../../fields/NumberField';

const fields = [
  ['compactionThreshold', 'settings.thresholdPercent', { min: 40, max: 90 }],
  ['compactionBound', 'upperBound.setting', { min: 1_000 }],
  ['outputReserve', 'settings.outputReserve', { min: 0 }],
  ['optimalMaxTokens', 'settings.optimalMaxTokens', { min: 1 }],
  ['criticalMaxTokens', 'settings.criticalMaxTokens', { min: 1 }],
  ['cautionRemediationCadenceGenerations', 'settings.cautionCadence', { min: 1 }],
] as const;

type ModelLimitFieldsProps = {
  own: Limits;
  follows: Limits;
  /** The prompt limit of the model is known. */
  isLimitKnown: boolean;
  onChange: (change: ModelChange) => void;
};

export function ModelLimitFields({ own, follows, isLimitKnown, onChange }: ModelLimitFieldsProps) {
  const text = useText();
  const formats = useFormats();
  const defaultHint = (key: keyof Limits) => {
    const value = follows[key] ?? null;
    if (value !== null) return text('settings.follows', { value: formats.exact(value) });
    return text(key === 'compactionBound' ? 'upperBound.followsNone' : 'settings.followsUnknown');
  };
  return (
    <Stack>
      {!isLimitKnown && (
        <p>{text('settings.limitsWait', { tokens: formats.exact(assumedWindow) })}</p>
      )}
      {fields.map(([key, label, range]) => (
        <NumberField
          key={key}
          label={text(label)}
          hint={defaultHint(key)}
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
