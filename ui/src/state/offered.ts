/**
 * The model each configured provider offers first: the one its kind is known for, where it lists that.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { ModelView } from '../ipc/bindings';
import { isDemo } from './demo';
import { keys } from './reading';

export function useOffered(): readonly ModelView[] {
  const { commands } = useBackend();
  const { data: providers = [] } = useQuery({
    queryKey: [...keys.providers, 'views'],
    queryFn: () => commands.providers(),
  });
  const { data: kinds = [] } = useQuery({
    queryKey: ['providerKinds'],
    queryFn: () => commands.providerKinds(),
  });
  return providers.flatMap(({ config, models }) => {
    const known = kinds.find(({ id }) => id === config.kind)?.defaultModel;
    const offered = models.find(({ model }) => model.model === known) ?? models[0];
    return offered && !isDemo(offered.model) ? [offered] : [];
  });
}
