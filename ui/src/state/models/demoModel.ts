/**
 * The built-in demo model. The name of its provider is translated.
 */
import { useText } from '../../i18n';
import type { ModelRef, ModelView } from '../../ipc/bindings';

export const isDemoModel = ({ provider }: ModelRef) => provider === 'demo';

/** The display name of a model's provider. */
export function useProviderName() {
  const text = useText();
  return ({ model, providerName }: ModelView) =>
    isDemoModel(model) ? text('composer.demo') : providerName;
}
