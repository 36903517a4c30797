/**
 * The person's own prompts: files of a folder, which change behind our back.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import { beside, keys, type Manner } from './reading';
import { again } from './tooling';

export function useOwnPrompts(manner: Manner = beside) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.tools, 'prompts'],
    queryFn: () => commands.ownPrompts(),
    ...again,
    ...manner,
  });
}
