/**
 * Resolves the model in a link. The author of a link knows the model's public name, not the user's
 * name for its provider. An ambiguous name is not resolved, because only one of the models may be
 * free.
 */
import type { ModelRef, ProviderConfig } from '../../ipc/bindings';

export type LinkedModel = ModelRef | 'none' | 'several';

/**
 * `written` is an id of this installation, `kind/model`, or the model's own id, which may contain
 * a slash as well.
 */
export function resolveLinkedModel(
  written: string,
  models: readonly ModelRef[],
  providers: readonly Pick<ProviderConfig, 'id' | 'kind'>[],
): LinkedModel {
  const asHere = models.find(({ provider, model }) => written === `${provider}/${model}`);
  if (asHere) return asHere;
  // Built-in models have no configured provider, and thus no kind.
  const ofKind = models.filter(({ provider, model }) =>
    providers.some(({ id, kind }) => id === provider && written === `${kind}/${model}`),
  );
  const [first, ...others] =
    ofKind.length > 0 ? ofKind : models.filter(({ model }) => written === model);
  if (!first) return 'none';
  return others.length === 0 ? first : 'several';
}
