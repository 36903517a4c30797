/**
 * Who could answer: of each configured provider the model it offers first, the one its kind is known
 * for where it lists that. The latest that was added comes first; one without the key it needs offers
 * nothing, and is named.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useBackend } from '../../ipc';
import type { ModelView, ProviderKind, ProviderView } from '../../ipc/bindings';
import { isDemoModel } from './demoModel';
import { optional, queryKeys } from '../queries/queries';

/** The model a provider offers first: the one its kind is known for where it lists that. */
export function preferredModel(
  view: ProviderView,
  kinds: readonly ProviderKind[],
): ModelView | undefined {
  const known = kinds.find(({ id }) => id === view.config.kind)?.defaultModel;
  return view.models.find(({ model }) => model.model === known) ?? view.models[0];
}

type SuggestedModels = {
  models: readonly ModelView[];
  withoutKey: readonly ProviderView[];
};

export function useSuggestedModels(): SuggestedModels {
  const { commands } = useBackend();
  const { data: providers = [] } = useQuery({
    queryKey: [...queryKeys.providers, 'views'],
    queryFn: () => commands.providers(),
    ...optional,
  });
  const { data: kinds } = useQuery({
    queryKey: ['providerKinds'],
    queryFn: () => commands.providerKinds(),
    ...optional,
  });
  // One that came with the settings file has listed nothing yet.
  useEffect(() => {
    commands.renewModels().catch(() => undefined);
  }, [commands]);
  if (!kinds) return { models: [], withoutKey: [] };
  const kindOf = ({ config }: ProviderView) => kinds.find(({ id }) => id === config.kind);
  // A key that cannot be read now, in a locked keychain, may be there when it is needed.
  const lacksKey = (view: ProviderView) =>
    view.key.type === 'nowhere' && kindOf(view)?.keyless !== true;
  const latestFirst = providers.toReversed();
  const models = latestFirst.flatMap((view) => {
    const first = preferredModel(view, kinds);
    return !first || lacksKey(view) || isDemoModel(first.model) ? [] : [first];
  });
  return { models, withoutKey: latestFirst.filter(lacksKey) };
}
