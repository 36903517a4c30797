/**
 * A Select for a model of any provider. A selected model that no longer exists is marked.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ModelRef } from '../../ipc/bindings';
import type { FieldLabels } from '../../kit/fields/Field';
import { Select, type SelectOption } from '../../kit/fields/Select';
import { modelKey } from '../../state/models/modelRef';
import { useModelOptions } from '../../state/models/useModelOptions';
import { useModels } from '../../state/queries/queries';

type ModelSelectProps = FieldLabels & {
  value: ModelRef | null;
  /** The label of the option without a model: null. */
  without?: string;
  onChange: (model: ModelRef | null) => void;
};

const none = 'none';
const idOf = (ref: ModelRef | null) => (ref === null ? none : modelKey(ref));

export function ModelSelect({ value, without, onChange, ...words }: ModelSelectProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data: models } = useModels();
  const { options: offered, modelOf } = useModelOptions(value);
  const id = idOf(value);
  const options: SelectOption<string>[] = [
    ...(without === undefined ? [] : [{ value: none, label: without }]),
    ...offered,
  ];
  if (value && !options.some((option) => option.value === id)) {
    options.push({
      value: id,
      label: value.model,
      ...(models && { detail: text('settings.notConfigured') }),
    });
  }
  return (
    <Select
      {...words}
      options={options}
      value={id}
      onOpen={() => void commands.renewModels().catch(() => undefined)}
      onChange={(chosen) => {
        const model = modelOf(chosen) ?? null;
        if (model !== null || chosen === none) onChange(model);
      }}
    />
  );
}
