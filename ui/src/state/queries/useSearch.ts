/**
 * The search over all sessions. Every view of its results reads it here: the cache holds one result for a
 * query, in one shape.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import { searchMessages } from './searchMessages';
import { queryKeys, required, type ReadMode } from './queries';

/** The hits, and the query that they belong to; the previous ones until the new ones arrive. */
export function useSearch(query: string, mode: ReadMode = required) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.sessions, 'search', query],
    queryFn: async ({ signal }) => ({
      query,
      hits: await searchMessages(commands, signal, query, null),
    }),
    enabled: query !== '',
    placeholderData: (previous) => previous,
    ...mode,
  });
}
