/**
 * Undoes an import: deletes all of its conversations that still exist. The deletion can be undone too.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ImportReport } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useSessions } from '../../state/queries/queries';
import { useReportErrorToast } from '../useSaveSettings';

/** The subject of its toast. */
const undoImportToastId = 'import taken back';

export function UndoImport({ reports }: { reports: readonly ImportReport[] }) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const { data: sessions } = useSessions();
  const brought = new Set(
    reports.flatMap(({ outcome }) => (outcome.type === 'imported' ? [outcome.sessionId] : [])),
  );
  const here = (sessions ?? []).map(({ id }) => id).filter((id) => brought.has(id));
  const undoImport = async () => {
    await commands.deleteSessions(here);
    toast({
      words: text('threads.deletedSome', { count: here.length }),
      of: undoImportToastId,
      undo: () => {
        reportError(commands.restoreSessions(here));
      },
    });
  };
  if (here.length === 0) return null;
  return (
    <p>
      <Button
        onClick={() => {
          reportError(undoImport());
        }}
      >
        {text('data.takeBack')}
      </Button>
    </p>
  );
}
