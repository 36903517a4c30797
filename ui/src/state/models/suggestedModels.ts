/**
 * Models to suggest to a new user: of each configured provider the preferred one, the latest provider
 * first. A provider that lacks its key suggests nothing, and is named.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useBackend } from '../../ipc';
import type { ModelView, ProviderKind, ProviderView } from '../../ipc/bindings';
import { isDemoModel } from './demoModel';
import { optional, queryKeys } from '../queries/queries';

/** The model that a provider's kind prefers if the provider lists it, else the first one. */
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
  // A provider from the settings file has not listed its models yet.
  useEffect(() => {
    commands.renewModels().catch(() => undefined);
  }, [commands]);
  if (!kinds) return { models: [], withoutKey: [] };
  const kindOf = ({ config }: ProviderView) => kinds.find(({ id }) => id === config.kind);
  // A key in a locked keychain counts as present: it may be readable later.
  const lacksKey = (view: ProviderView) =>
    view.key.type === 'nowhere' && kindOf(view)?.keyless !== true;
  const latestFirst = providers.toReversed();
  const models = latestFirst.flatMap((view) => {
    const first = preferredModel(view, kinds);
    return !first || lacksKey(view) || isDemoModel(first.model) ? [] : [first];
  });
  return { models, withoutKey: latestFirst.filter(lacksKey) };
}
