/** The abilities of this desktop. */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import { optional, queryKeys } from './queries';

export function useDesktopState() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: queryKeys.desktop,
    queryFn: () => commands.desktopState(),
    ...optional,
  });
}
