/**
 * Saving from the settings: every change is made to the settings as they are on the disk at that
 * moment, one after the other, and only what it changes is saved, so that none undoes another.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { ModelRef, ProviderId, SessionId, Settings, SettingsView } from '../ipc/bindings';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { keys } from '../state/reading';

type Change = (settings: Settings) => Settings;
/** `onKept` is called once the change is on the disk, and never where it could not be. */
type Save = (change: Change, onKept?: () => void) => void;
export type PageProps = { settings: Settings; save: Save };
/** A page that also shows what holds for the session behind the dialog; null where there is none. */
export type SessionPageProps = PageProps & { session: SessionId | null };
/**
 * What every page is given: also the model or the provider, null: a new one, that the settings were opened
 * for.
 */
export type PlacedPageProps = SessionPageProps & {
  model: ModelRef | undefined;
  provider: ProviderId | null | undefined;
};

/** Does something and says so if it fails. */
export const useAttempt = () => useAttempting(useToast());

export function useSave(): Save {
  const { commands } = useBackend();
  const client = useQueryClient();
  const attempt = useAttempt();
  const { mutateAsync } = useMutation({
    mutationKey: keys.settings,
    scope: { id: 'settings' },
    mutationFn: async (change: Change) => {
      const { settings } = await commands.settings();
      await commands.saveSettings(settings, change(settings));
    },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: keys.settings });
      client.setQueryData<SettingsView>(
        keys.settings,
        (view) => view && { ...view, settings: change(view.settings) },
      );
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey: keys.settings }) > 1) return;
      void client.invalidateQueries({ queryKey: keys.settings });
    },
  });
  return (change, onKept) => {
    attempt(mutateAsync(change).then(onKept));
  };
}
