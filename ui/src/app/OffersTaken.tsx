/**
 * Once a model answers in the session that is open, whoever chose it there, no toast offers any more to let
 * its provider do so; and once it is compacted again, none to put the last compaction back.
 */
import { useEffect } from 'react';
import type { SessionId } from '../ipc/bindings';
import { useWithdraw, type ToastContent } from '../kit/Toast';
import { useCompaction, useSession } from '../state/reading';
import { ofCompactionIn, ofProvider } from '../state/toasts';

/** Neither what went wrong at the provider nor the only way back to one that was removed. */
const isOffer = ({ way, undo, failed }: ToastContent) =>
  way !== undefined && undo === undefined && failed !== true;

export function OffersTaken({ session }: { session: SessionId }) {
  const { data } = useSession(session);
  const withdraw = useWithdraw();
  const { provider, model } = data?.model ?? {};
  useEffect(() => {
    if (provider !== undefined) withdraw(ofProvider(provider), isOffer);
  }, [withdraw, provider, model]);
  const compacting = useCompaction(session).data?.type === 'running';
  useEffect(() => {
    if (compacting) withdraw(ofCompactionIn(session));
  }, [withdraw, compacting, session]);
  return null;
}
