/** The use of the budgets. */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { optional, queryKeys } from './queries';

/** The budgets of the day, the month and a session; null: of the day and the month alone. */
export function useBudgets(session: SessionId | null) {
  const { commands } = useBackend();
  const key = session === null ? queryKeys.contexts : queryKeys.context(session);
  return useQuery({
    queryKey: [...key, 'budgets'],
    queryFn: () => commands.budgets(session),
    staleTime: 0,
    ...optional,
  });
}
