/** The state of Skein's updates. The program notifies of the topic `data` when a step begins and ends. */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { UpdateState } from '../../ipc/bindings';
import { optional, queryKeys } from './queries';

/** The interval at which the progress of a step is read, in ms. */
const progressMs = 500;

export function isRunning(state: UpdateState) {
  switch (state.type) {
    case 'checking':
    case 'downloading':
    case 'waitingForWork':
    case 'installing':
    case 'goingBack':
    case 'returnStaged':
      return true;
    case 'idle':
    case 'upToDate':
    case 'available':
    case 'installed':
    case 'packaged':
    case 'failed':
      return false;
  }
}

export function useUpdates() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.data, 'updates'],
    queryFn: () => commands.updates(),
    refetchInterval: ({ state: { data } }) => data && isRunning(data.state) && progressMs,
    ...optional,
  });
}
