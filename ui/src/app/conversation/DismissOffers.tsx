/**
 * Once a model answers in the session that is open, whoever chose it there, no toast offers any more to let
 * its provider do so; and once it is compacted again, none to put the last compaction back.
 */
import { useEffect } from 'react';
import type { SessionId } from '../../ipc/bindings';
import { useWithdrawToasts } from '../../kit/notifications/Toast';
import type { ToastContent } from '../../kit/notifications/toastContent';
import { useCompactionStatus, useSession } from '../../state/queries/queries';
import { compactionToastId, providerToastId } from '../../state/text/toastIds';

/** Neither what went wrong at the provider nor the only way back to one that was removed. */
const isOffer = ({ way, undo, failed }: ToastContent) =>
  way !== undefined && undo === undefined && failed !== true;

export function DismissOffers({ session }: { session: SessionId }) {
  const { data } = useSession(session);
  const withdraw = useWithdrawToasts();
  const { provider, model } = data?.model ?? {};
  useEffect(() => {
    if (provider !== undefined) withdraw(providerToastId(provider), isOffer);
  }, [withdraw, provider, model]);
  const compacting = useCompactionStatus(session).data?.type === 'running';
  useEffect(() => {
    if (compacting) withdraw(compactionToastId(session));
  }, [withdraw, compacting, session]);
  return null;
}
