/**
 * The user's own prompts: files in a folder, which change outside of Skein.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import { optional, queryKeys, type ReadMode } from './queries';
import { refetchOnFocus } from './toolQueries';

export function useUserPrompts(manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.tools, 'prompts'],
    queryFn: () => commands.ownPrompts(),
    ...refetchOnFocus,
    ...manner,
  });
}
