/**
 * The model that a link names. Who writes one knows how the model is called everywhere, not how its
 * provider is called here; where that leaves a choice, nobody makes it: one may cost what another does
 * not.
 */
import type { ModelRef, ProviderConfig } from '../../ipc/bindings';

export type LinkedModel = ModelRef | 'none' | 'several';

/** `written` as here, as `kind/model`, or as the model's own id, which may hold a stroke as well. */
export function resolveLinkedModel(
  written: string,
  models: readonly ModelRef[],
  providers: readonly Pick<ProviderConfig, 'id' | 'kind'>[],
): LinkedModel {
  const asHere = models.find(({ provider, model }) => written === `${provider}/${model}`);
  if (asHere) return asHere;
  // The built-in models are of no provider that is configured, and so of no kind.
  const ofKind = models.filter(({ provider, model }) =>
    providers.some(({ id, kind }) => id === provider && written === `${kind}/${model}`),
  );
  const [first, ...others] =
    ofKind.length > 0 ? ofKind : models.filter(({ model }) => written === model);
  if (!first) return 'none';
  return others.length === 0 ? first : 'several';
}
