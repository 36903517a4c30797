/**
 * What can be done with the sessions that are marked.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { Button } from '../kit/controls/Button';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import type { MultiSelect } from './multiSelect';
import './Sidebar.css';

export function BulkActions({ marked, markAll, clear }: MultiSelect) {
  const text = useText();
  const toast = useToast();
  const attempt = useReportError(toast);
  const { commands } = useBackend();
  const remove = async () => {
    await commands.deleteSessions([...marked]);
    clear();
    toast({
      words: text('threads.deletedSome', { count: marked.length }),
      undo: () => {
        attempt(commands.restoreSessions([...marked]));
      },
    });
  };
  return (
    <div className="Sidebar-marked" role="group" aria-label={text('threads.marked')}>
      <p role="status">{text('threads.markedCount', { count: marked.length })}</p>
      <Button kind="quiet" onClick={markAll}>
        {text('threads.markAll')}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          attempt(remove());
        }}
      >
        {text('threads.delete')}
      </Button>
      <Button kind="quiet" onClick={clear}>
        {text('threads.markNone')}
      </Button>
    </div>
  );
}
