/**
 * Which model wrote an answer: a quiet name among its actions, with its provider in the tooltip.
 */
import { useText } from '../../i18n';
import type { ModelRef } from '../../ipc/bindings';
import { Tooltip } from '../../kit/layers/Tooltip';
import { useProviderName } from '../../state/models/demoModel';
import { isSameModel } from '../../state/models/modelRef';
import { useModels } from '../../state/queries/queries';

/** One that is offered no longer has no other name than its id. */
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
