/**
 * Deleted messages of all sessions. Each can be restored until it expires; the undo toast does not outlive
 * a restart.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { DeletedMessage } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { VirtualList } from '../../kit/lists/VirtualList';
import { Row } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { excerpt } from '../../state/text/excerpt';
import { queryKeys } from '../../state/queries/queries';
import { useReportErrorToast } from '../useSaveSettings';

/** The length of an excerpt, in characters. */
const maxExcerpt = 120;
/** The estimated height of a row, in px. */
const deletedRowHeight = () => 64;

export function DeletedMessages() {
  const text = useText();
  const { commands } = useBackend();
  const { data: deleted } = useQuery({
    queryKey: [...queryKeys.sessions, 'deletedMessages'],
    queryFn: () => commands.deletedMessages(),
  });
  return (
    <section aria-label={text('data.deletedMessages')}>
      <h3>{text('data.deletedMessages')}</h3>
      {deleted?.length === 0 && <p className="Settings-quiet">{text('data.noDeletedMessages')}</p>}
      {deleted && deleted.length > 0 && (
        <VirtualList label={text('data.deletedMessages')} rows={deleted} height={deletedRowHeight}>
          {(message) => <DeletedMessageRow message={message} />}
        </VirtualList>
      )}
    </section>
  );
}

function DeletedMessageRow({ message }: { message: DeletedMessage }) {
  const text = useText();
  const formats = useFormats();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const title = message.title ?? text('threads.untitled');
  const begin = excerpt(message.words, maxExcerpt);
  const words = begin === '' ? text('data.wordless') : begin;
  const restore = async () => {
    await commands.restoreMessage(message.deletion);
    toast({ words: text('data.messageBack', { title }) });
  };
  return (
    <>
      <Row>
        <span dir="auto">{words}</span>
        <Button
          aria-label={text('data.bringMessageBack', { words })}
          onClick={() => {
            reportError(restore());
          }}
        >
          {text('data.restore')}
        </Button>
      </Row>
      <div className="Settings-quiet">
        {text('data.deletedFrom', {
          title,
          when: formats.minute(message.deletedAt),
          until: formats.minute(message.keptUntil),
        })}
      </div>
    </>
  );
}
