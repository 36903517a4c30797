/**
 * Model servers on this machine: searched for when a view offers them, and added with one click.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { LocalServer, ModelRef } from '../../ipc/bindings';
import { optional, queryKeys } from './queries';

export function useLocalServers() {
  const { commands } = useBackend();
  const client = useQueryClient();
  const { data: servers = [] } = useQuery({
    queryKey: [...queryKeys.providers, 'local'],
    queryFn: () => commands.localServers(),
    gcTime: 0,
    ...optional,
  });
  /** Adds a server. Resolves to its preferred model. */
  const setUp = async ({ kind, name, baseUrl, models }: LocalServer): Promise<ModelRef> => {
    const id = `${kind}-${crypto.randomUUID().slice(0, 8)}`;
    await commands.saveProvider({ id, kind, name, baseUrl });
    await commands.fetchModels(id);
    await client.invalidateQueries({ queryKey: queryKeys.providers });
    return { provider: id, model: models[0] ?? '' };
  };
  return { servers, setUp };
}
