/**
 * Once a model answers in the session that is open, whoever chose it there, no toast offers any more to let
 * its provider do so.
 */
import { useEffect } from 'react';
import type { SessionId } from '../ipc/bindings';
import { useWithdraw } from '../kit/Toast';
import { useSession } from '../state/reading';
import { ofProvider } from '../state/toasts';

export function OffersTaken({ session }: { session: SessionId }) {
  const { data } = useSession(session);
  const withdraw = useWithdraw();
  const { provider, model } = data?.model ?? {};
  useEffect(() => {
    if (provider !== undefined) withdraw(ofProvider(provider));
  }, [withdraw, provider, model]);
  return null;
}
