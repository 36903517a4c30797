/**
 * Reports that servers were replaced by an import, keys included, and restores them.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { McpImportResult } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { queryKeys } from '../../state/queries/queries';
import { useReportErrorToast } from '../useSaveSettings';

export function useReplacedServersToast() {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  return ({ replaced }: McpImportResult) => {
    for (const name of replaced) {
      toast({
        words: text('mcp.replaced', { name }),
        undo: () => {
          const restored = commands.restoreMcpServer(name);
          reportError(
            restored.finally(() => client.invalidateQueries({ queryKey: queryKeys.tools })),
          );
        },
      });
    }
  };
}
