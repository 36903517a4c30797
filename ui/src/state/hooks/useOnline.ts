/** True if this machine is on a network. */
import { useSyncExternalStore } from 'react';

const changes = ['online', 'offline'] as const;

function subscribeToConnection(told: () => void) {
  for (const change of changes) window.addEventListener(change, told);
  return () => {
    for (const change of changes) window.removeEventListener(change, told);
  };
}

/** `true` promises nothing: a server may still be unreachable. */
export const useOnline = () => useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
