/**
 * Dismisses outdated offers in toasts: to use a new provider's model, once the open session uses
 * one; and to undo the last compaction, once there is another.
 */
import { useEffect } from 'react';
import type { SessionId } from '../../ipc/bindings';
import { useWithdrawToasts } from '../../kit/notifications/Toast';
import type { ToastContent } from '../../kit/notifications/toastContent';
import { useCompactionStatus, useSession } from '../../state/queries/queries';
import { compactionToastId, providerToastId } from '../../state/text/toastIds';

/** True for an offer; false for an error, and for the undo of a removed provider. */
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
