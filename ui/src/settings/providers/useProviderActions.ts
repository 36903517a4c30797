/**
 * Saves and removes a provider. After a save its models are listed if it can be called.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ProviderConfig, SessionId } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { errorText, toAppError } from '../../state/text/errorText';
import { queryKeys } from '../../state/queries/queries';
import { providerToastId } from '../../state/text/toastIds';
import { useReportErrorToast } from '../useSaveSettings';
import { useTryProvider } from './useTryProvider';

type SaveProviderOptions = {
  /** Empty: the stored key stays. */
  key: string;
  /** Rust rejected the address. */
  onInvalidUrl: () => void;
  /** Called between saving and listing. */
  onSaved: () => void;
  /** The provider can be called: it needs no key, or has one. */
  isCallable: boolean;
  /** The models may differ from those that were listed before. */
  isChanged: boolean;
};

/** `session`: the session behind the settings; null: none. */
export function useProviderActions(session: SessionId | null) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const tryProvider = useTryProvider(session);
  const { commands } = useBackend();
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.providers });

  const listModels = async ({ id, name }: ProviderConfig) => {
    const of = providerToastId(id);
    try {
      const count = await commands.fetchModels(id);
      const words = text('settings.providerListed', { name, count });
      toast({ words, of, ...(await tryProvider(id)) });
    } catch (thrown) {
      const why = errorText(text, toAppError(thrown));
      toast({ words: text('settings.providerUnlisted', { name, why }), of, failed: true });
    }
  };

  const save = async (config: ProviderConfig, options: SaveProviderOptions) => {
    try {
      await commands.saveProvider(config);
    } catch (thrown) {
      if (toAppError(thrown).kind !== 'invalid') throw thrown;
      options.onInvalidUrl();
      return;
    }
    if (options.key !== '') await commands.setKey(config.id, options.key);
    options.onSaved();
    // The models of a new or changed provider are listed at once: before, there is nothing to choose.
    if (options.isCallable && (options.key !== '' || options.isChanged)) await listModels(config);
    else {
      const words = options.isCallable ? 'settings.providerSaved' : 'providers.savedWithoutKey';
      toast({ words: text(words, { name: config.name }), of: providerToastId(config.id) });
    }
    await refresh();
  };

  const remove = async (config: ProviderConfig, onRemoved: () => void) => {
    await commands.removeProvider(config.id);
    onRemoved();
    await refresh();
    toast({
      words: text('settings.providerRemoved', { name: config.name }),
      of: providerToastId(config.id),
      undo: () => {
        reportError(commands.saveProvider(config).then(refresh));
      },
    });
  };

  return { save, remove };
}
