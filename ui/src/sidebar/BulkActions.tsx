/**
 * The actions for the selected sessions.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { Button } from '../kit/controls/Button';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import type { MultiSelect } from './multiSelect';
import './Sidebar.css';

export function BulkActions({ selected, selectAll, clear }: MultiSelect) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { commands } = useBackend();
  const remove = async () => {
    await commands.deleteSessions([...selected]);
    clear();
    toast({
      words: text('threads.deletedSome', { count: selected.length }),
      undo: () => {
        reportError(commands.restoreSessions([...selected]));
      },
    });
  };
  return (
    <div className="Sidebar-bulkActions" role="group" aria-label={text('threads.selected')}>
      <p role="status">{text('threads.selectedCount', { count: selected.length })}</p>
      <Button kind="quiet" onClick={selectAll}>
        {text('threads.selectAll')}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          reportError(remove());
        }}
      >
        {text('threads.delete')}
      </Button>
      <Button kind="quiet" onClick={clear}>
        {text('threads.selectNone')}
      </Button>
    </div>
  );
}
