/**
 * The demo model, which is built in: its provider has no name of its own but words in each language.
 */
import { useText } from '../../i18n';
import type { ModelRef, ModelView } from '../../ipc/bindings';

export const isDemoModel = ({ provider }: ModelRef) => provider === 'demo';

/** What the provider of a model is called. */
export function useProviderName() {
  const text = useText();
  return ({ model, providerName }: ModelView) =>
    isDemoModel(model) ? text('composer.demo') : providerName;
}
