/**
 * The way from a provider that has just been set up to talking with it, where the demo still answers in
 * the session behind the settings.
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
  const attempt = useReportErrorToast();
  const { commands } = useBackend();
  /** What a toast adds to tell of it; nothing where there is no such way. */
  return async (provider: ProviderId): Promise<Pick<ToastContent, 'way'>> => {
    if (session === null) return {};
    const [{ model: now }, providers, kinds] = await Promise.all([
      commands.session(session),
      commands.providers(),
      commands.providerKinds(),
    ]);
    const view = providers.find(({ config }) => config.id === provider);
    const first = view && preferredModel(view, kinds);
    if (!first || !isDemoModel(now)) return {};
    const { model, name, providerName } = first;
    const choose = async () => {
      await commands.setModel(session, model);
      const words = text('providers.used', { name: providerName, model: name });
      toast({ words, of: modelToastId(session) });
    };
    return {
      way: {
        words: text('providers.useHere', { model: name }),
        go: () => {
          attempt(choose());
        },
      },
    };
  };
}
