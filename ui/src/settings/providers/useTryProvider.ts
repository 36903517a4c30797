/**
 * Offers to use the model of a provider that was just set up, if the session behind the settings still uses
 * the demo model.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ProviderId, SessionId } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import type { ToastContent } from '../../kit/notifications/toastContent';
import { isDemoModel } from '../../state/models/demoModel';
import { preferredModel } from '../../state/models/suggestedModels';
import { modelToastId } from '../../state/text/toastIds';
import { useReportErrorToast } from '../useSaveSettings';

export function useTryProvider(session: SessionId | null) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  /** The toast's link; empty: there is nothing to offer. */
  return async (provider: ProviderId): Promise<Pick<ToastContent, 'way'>> => {
    if (session === null) return {};
    const [{ model: current }, providers, kinds] = await Promise.all([
      commands.session(session),
      commands.providers(),
      commands.providerKinds(),
    ]);
    const view = providers.find(({ config }) => config.id === provider);
    const preferred = view && preferredModel(view, kinds);
    if (!preferred || !isDemoModel(current)) return {};
    const { model, name, providerName } = preferred;
    const choose = async () => {
      await commands.setModel(session, model);
      const words = text('providers.used', { name: providerName, model: name });
      toast({ words, of: modelToastId(session) });
    };
    return {
      way: {
        words: text('providers.useHere', { model: name }),
        go: () => {
          reportError(choose());
        },
      },
    };
  };
}
