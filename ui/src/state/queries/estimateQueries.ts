/**
 * Queries for the tokens and the cost of an unsent message.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { ContextEstimate, Draft, SessionId } from '../../ipc/bindings';
import { optional, queryKeys } from './queries';

/** The token estimate with the draft; the caller debounces that. Not asked for where `wanted` is false. */
export function useEstimate(id: SessionId, draft: Draft, wanted = true) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.context(id), 'estimate', draft],
    queryFn: () => commands.estimate(id, draft),
    placeholderData: (previous) => previous,
    enabled: wanted,
    gcTime: 10_000,
    ...optional,
  });
}

/**
 * The cost of compacting first and of the next message afterwards; null where the provider's cache has not
 * lost the conversation. Not asked for where `wanted` is false.
 */
export function useCompactFirstCost(id: SessionId, draft: Draft, wanted: boolean) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.context(id), 'compactFirst', draft],
    queryFn: () => commands.compactFirstCost(id, draft),
    placeholderData: (previous) => previous,
    enabled: wanted,
    gcTime: 10_000,
    ...optional,
  });
}

/** The tokens of a draft by itself; the previous count while a new one runs. */
export function useDraftSize(id: SessionId, draft: Draft) {
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...queryKeys.context(id), 'size', draft],
    queryFn: () => commands.draftSize(id, draft),
    placeholderData: (previous) => previous,
    gcTime: 10_000,
    ...optional,
  });
  return data;
}

/** The context action that the next message triggers. 'stuck' triggers none. */
export type PendingContextAction = 'compaction' | 'archiving' | null;

export function pendingContextAction(estimate: ContextEstimate | undefined): PendingContextAction {
  const due = estimate?.due?.type ?? null;
  return due === 'stuck' ? null : due;
}
