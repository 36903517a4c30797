/**
 * The models as options of a Select: grouped by provider, with their properties, matched by their ids as
 * well. The recently chosen ones come first.
 */
import { useFormats, useText, type Formats, type Translate } from '../../i18n';
import type { ModelRef, ModelView } from '../../ipc/bindings';
import { useProviderName } from './demoModel';
import { isSameModel, modelKey } from './modelRef';
import { useModels, useSettings } from '../queries/queries';
import { usePriceText } from '../text/costText';

/** `current` is not among the recent ones: the closed list shows it. */
export function useModelOptions(current: ModelRef | null) {
  const text = useText();
  const formats = useFormats();
  const providerName = useProviderName();
  const priceText = usePriceText();
  const { data: models = [] } = useModels();
  const recent = useSettings().data?.settings.recentModels ?? [];
  const offered = (wanted: ModelRef) => models.some(({ model }) => isSameModel(model, wanted));
  return {
    options: models.map((known) => ({
      value: modelKey(known.model),
      label: known.name,
      group: providerName(known),
      also: known.model.model,
      note: describeModel(text, formats, known, priceText(known.prices ?? null)),
    })),
    first: {
      group: text('composer.recent'),
      values: recent
        .filter((model) => offered(model) && !(current && isSameModel(model, current)))
        .map(modelKey),
    },
    modelOf: (key: string) => models.find(({ model }) => modelKey(model) === key)?.model,
  };
}

/** The context window, the capabilities and the price of a model, where they are known. */
function describeModel(
  text: Translate,
  { tokens }: Formats,
  { spec, limit }: ModelView,
  price: string | null,
): string {
  const window = spec.window?.value ?? limit ?? null;
  return [
    window === null
      ? text('composer.windowUnknown')
      : text('composer.window', { tokens: tokens(window) }),
    spec.tools === true && text('composer.usesTools'),
    spec.tools === false && text('composer.noTools'),
    spec.images === true && text('composer.seesImages'),
    spec.reasoning === true && text('composer.thinks'),
    price,
  ]
    .filter((words) => words !== false && words !== null)
    .join(' · ');
}
