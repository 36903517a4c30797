/**
 * An import taken back: what it brought and is still here is deleted, all of it at once, and comes back the
 * same way.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ImportReport } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useSessions } from '../../state/queries/queries';
import { useReportErrorToast } from '../useSaveSettings';

/** Of what the toast is that says so. */
const undoImportToastId = 'import taken back';

export function UndoImport({ reports }: { reports: readonly ImportReport[] }) {
  const text = useText();
  const toast = useToast();
  const attempt = useReportErrorToast();
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
        attempt(commands.restoreSessions(here));
      },
    });
  };
  if (here.length === 0) return null;
  return (
    <p>
      <Button
        onClick={() => {
          attempt(undoImport());
        }}
      >
        {text('data.takeBack')}
      </Button>
    </p>
  );
}
