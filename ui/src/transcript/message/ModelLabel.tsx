/**
 * The model that wrote a reply; its provider is in the tooltip.
 */
import { useText } from '../../i18n';
import type { ModelRef } from '../../ipc/bindings';
import { Tooltip } from '../../kit/layers/Tooltip';
import { useProviderName } from '../../state/models/demoModel';
import { isSameModel } from '../../state/models/modelRef';
import { useModels } from '../../state/queries/queries';

/** A model that is no longer listed is shown by its id. */
export function ModelLabel({ model: ref }: { model: ModelRef }) {
  const text = useText();
  const providerName = useProviderName();
  const { data: models = [] } = useModels();
  const known = models.find(({ model }) => isSameModel(model, ref));
  const model = known?.name ?? ref.model;
  const words = known
    ? text('transcript.writtenByOf', { model, provider: providerName(known) })
    : text('transcript.writtenBy', { model });
  return (
    <Tooltip content={words}>
      <span className="Message-model" role="note" aria-label={words}>
        {model}
      </span>
    </Tooltip>
  );
}
