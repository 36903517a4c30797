/**
 * The models as one of them is chosen: in the groups of their providers, found by their ids as well, and
 * those chosen last once more before all others.
 */
import { useText } from '../i18n';
import type { ModelRef } from '../ipc/bindings';
import { useProviderName } from './demo';
import { isModel, keyOf } from './model';
import { useModels, useSettings } from './reading';

/** Without `current` among the first: it is seen where the list is opened from. */
export function useModelOptions(current: ModelRef | null) {
  const text = useText();
  const providerName = useProviderName();
  const { data: models = [] } = useModels();
  const recent = useSettings().data?.settings.recentModels ?? [];
  const offered = (wanted: ModelRef) => models.some(({ model }) => isModel(model, wanted));
  return {
    options: models.map((known) => ({
      value: keyOf(known.model),
      label: known.name,
      group: providerName(known),
      also: known.model.model,
    })),
    first: {
      group: text('composer.recent'),
      values: recent
        .filter((model) => offered(model) && !(current && isModel(model, current)))
        .map(keyOf),
    },
    modelOf: (key: string) => models.find(({ model }) => keyOf(model) === key)?.model,
  };
}
