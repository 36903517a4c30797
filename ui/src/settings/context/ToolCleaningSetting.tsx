/**
 * When old tool calls leave the context: as it costs least with the default model, or as the user wants it.
 */
import { useText, type Translate } from '../../i18n';
import type { AutomaticCleaning, ToolCleaning } from '../../ipc/bindings';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import { useModelName } from '../../state/models/useModelName';
import { useStrategies } from '../../state/queries/queries';

const cleanings: readonly ToolCleaning[] = ['everySend', 'inBatches', 'atCompaction', 'never'];

type ToolCleaningSettingProps = {
  /** Null: automatic. */
  cleaning: ToolCleaning | null;
  /** Without it no price is a reason. */
  showCosts: boolean;
  onChange: (cleaning: ToolCleaning | null) => void;
};

function reasonText(
  automatic: AutomaticCleaning,
  model: string,
  showCosts: boolean,
  text: Translate,
) {
  const { reason } = automatic;
  if (!showCosts && reason.type !== 'tooShort') return text('toolCleaning.ofModel', { model });
  const percent = reason.type === 'cheapReads' ? reason.percent : 0;
  return text(`toolCleaning.${reason.type}`, { model, percent });
}

export function ToolCleaningSetting({ cleaning, showCosts, onChange }: ToolCleaningSettingProps) {
  const text = useText();
  const nameOf = useModelName();
  const { data: numbers } = useStrategies(null);
  const automatic = numbers && {
    label: text('toolCleaning.automaticNow', {
      choice: text(`toolCleaning.${numbers.automaticCleaning.cleaning}Inline`),
    }),
    hint: reasonText(numbers.automaticCleaning, nameOf(numbers.model), showCosts, text),
  };
  return (
    <RadioGroup
      label={text('settings.toolCleaning')}
      value={cleaning ?? 'automatic'}
      choices={[
        { value: 'automatic', ...(automatic ?? { label: text('toolCleaning.automatic') }) },
        ...cleanings.map((value) => ({
          value,
          label: text(`toolCleaning.${value}`),
          hint: text(`toolCleaning.${value}Hint`),
        })),
      ]}
      onChange={(value) => {
        onChange(value === 'automatic' ? null : value);
      }}
    />
  );
}
