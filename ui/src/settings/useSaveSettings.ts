/**
 * Saves settings. Each change is applied to the settings on disk at that moment, one after the other, and
 * only its own fields are written: no change undoes another.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { ModelRef, ProviderId, SessionId, Settings, SettingsView } from '../ipc/bindings';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { queryKeys } from '../state/queries/queries';

type SettingsChange = (settings: Settings) => Settings;
/** `onSaved` is called only if the change is on disk. */
type SaveSettings = (change: SettingsChange, onSaved?: () => void) => void;
export type SettingsPageProps = { settings: Settings; save: SaveSettings };
/** A page that also shows values of the session behind the dialog; null: none. */
export type SessionSettingsPageProps = SettingsPageProps & { session: SessionId | null };
/**
 * The props of every page: also the model or provider that the settings were opened for; null: a new
 * provider.
 */
export type TargetedSettingsPageProps = SessionSettingsPageProps & {
  model: ModelRef | undefined;
  provider: ProviderId | null | undefined;
};

export const useReportErrorToast = () => useReportError(useToast());

export function useSaveSettings(): SaveSettings {
  const { commands } = useBackend();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
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
    reportError(mutateAsync(change).then(onKept));
  };
}
