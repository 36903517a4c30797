/**
 * Changes the user's values for a model.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../../i18n';
import { useBackend } from '../../../ipc';
import type { ModelChange, ModelOverride, ModelRef } from '../../../ipc/bindings';
import { useToast } from '../../../kit/notifications/Toast';
import { queryKeys } from '../../../state/queries/queries';
import { useReportErrorToast } from '../../useSaveSettings';

export function useModelActions(model: ModelRef) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.providers });
  const remove = async (override: ModelOverride) => {
    await commands.removeModel(model);
    await refresh();
    toast({
      words: text('settings.modelForgotten', { model: model.model }),
      undo: () => {
        reportError(commands.addModel(model.provider, override).then(refresh));
      },
    });
  };
  return {
    change: (change: ModelChange) => {
      reportError(commands.changeModel(model, change).then(refresh));
    },
    /** Forgets the context window that Skein learned from the provider's errors. */
    forgetWindow: () => {
      reportError(commands.forgetWindow(model).then(refresh));
    },
    /** Removes all values that the user set for the model. */
    removeOverride: (override: ModelOverride) => {
      reportError(remove(override));
    },
  };
}
