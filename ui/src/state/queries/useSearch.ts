/**
 * The search over all sessions. Every view of its results reads it here: the cache holds one result for a
 * query, in one shape.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { SearchHit } from '../../ipc/bindings';
import { searchMessages } from './searchMessages';
import { queryKeys, required, type ReadMode } from './queries';

/** Characters before the match: a view cuts an excerpt after a few lines, and Chinese ones hold little. */
const leadChars = 24;

function withShortLead(hit: SearchHit): SearchHit {
  const [lead, ...rest] = hit.excerpt;
  if (!lead || lead.found || rest.length === 0) return hit;
  const letters = Array.from(lead.text);
  if (letters.length <= leadChars) return hit;
  const text = `…${letters.slice(-leadChars).join('')}`;
  return { ...hit, excerpt: [{ ...lead, text }, ...rest] };
}

/** The hits, and the query that they belong to; the previous ones until the new ones arrive. */
export function useSearch(query: string, mode: ReadMode = required) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.sessions, 'search', query],
    queryFn: async ({ signal }) => ({
      query,
      hits: (await searchMessages(commands, signal, query, null)).map(withShortLead),
    }),
    enabled: query !== '',
    placeholderData: (previous) => previous,
    ...mode,
  });
}
