/**
 * Saving from the settings: every change is made to the settings as they are on the disk at that
 * moment, one after the other, and only what it changes is saved, so that none undoes another.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { ModelRef, ProviderId, SessionId, Settings, SettingsView } from '../ipc/bindings';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { queryKeys } from '../state/queries/queries';

type SettingsChange = (settings: Settings) => Settings;
/** `onSaved` is called once the change is on the disk, and never where it could not be. */
type SaveSettings = (change: SettingsChange, onSaved?: () => void) => void;
export type SettingsPageProps = { settings: Settings; save: SaveSettings };
/** A page that also shows what holds for the session behind the dialog; null where there is none. */
export type SessionSettingsPageProps = SettingsPageProps & { session: SessionId | null };
/**
 * What every page is given: also the model or the provider, null: a new one, that the settings were opened
 * for.
 */
export type TargetedSettingsPageProps = SessionSettingsPageProps & {
  model: ModelRef | undefined;
  provider: ProviderId | null | undefined;
};

/** Does something and says so if it fails. */
export const useReportErrorToast = () => useReportError(useToast());

export function useSaveSettings(): SaveSettings {
  const { commands } = useBackend();
  const client = useQueryClient();
  const attempt = useReportErrorToast();
  const { mutateAsync } = useMutation({
    mutationKey: queryKeys.settings,
    scope: { id: 'settings' },
    mutationFn: async (change: SettingsChange) => {
      const { settings } = await commands.settings();
      await commands.saveSettings(settings, change(settings));
    },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: queryKeys.settings });
      client.setQueryData<SettingsView>(
        queryKeys.settings,
        (view) => view && { ...view, settings: change(view.settings) },
      );
    },
    onSettled: () => {
      if (client.isMutating({ mutationKey: queryKeys.settings }) > 1) return;
      void client.invalidateQueries({ queryKey: queryKeys.settings });
    },
  });
  return (change, onKept) => {
    attempt(mutateAsync(change).then(onKept));
  };
}
