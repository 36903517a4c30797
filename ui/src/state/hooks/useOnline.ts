/**
 * Whether this machine is on a network, for as long as somebody looks.
 */
import { useSyncExternalStore } from 'react';

const changes = ['online', 'offline'] as const;

function subscribeToConnection(told: () => void) {
  for (const change of changes) window.addEventListener(change, told);
  return () => {
    for (const change of changes) window.removeEventListener(change, told);
  };
}

/** Of a machine that says it is online nobody knows more: what is asked may still be out of reach. */
export const useOnline = () => useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
