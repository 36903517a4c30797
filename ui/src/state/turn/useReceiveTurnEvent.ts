/**
 * Takes the events of a turn: the reported usage goes to the query of the context health, everything else
 * to the turn's own state.
 */
import { useCallback } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { HealthView, SessionId, TurnEvent } from '../../ipc/bindings';
import { queryKeys } from '../queries/queries';
import { turnStore } from './turnStore';

export function useReceiveTurnEvent(session: SessionId) {
  const client = useQueryClient();
  return useCallback(
    (event: TurnEvent) => {
      if (event.type !== 'usage') {
        turnStore.receive(session, event);
        return;
      }
      const healthKey = [...queryKeys.context(session), 'health'];
      client.setQueryData<HealthView>(
        healthKey,
        (view) => view && { ...view, latest: event.health },
      );
    },
    [client, session],
  );
}
