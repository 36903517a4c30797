/**
 * Deleted sessions. Each can be restored until it expires, or be deleted for good.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { DeletedSession } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { VirtualList } from '../../kit/lists/VirtualList';
import { Row } from '../../kit/display/Stack';
import { useToast, useWithdrawToasts } from '../../kit/notifications/Toast';
import { queryKeys } from '../../state/queries/queries';
import { sessionToastId } from '../../state/text/toastIds';
import { useReportErrorToast } from '../useSaveSettings';

/** The estimated height of a row, in px. */
const deletedRowHeight = () => 64;

export function DeletedSessions() {
  const text = useText();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const restoreAll = async (all: readonly DeletedSession[]) => {
    await commands.restoreSessions(all.map(({ id }) => id));
    toast({ words: text('data.broughtAllBack', { count: all.length }) });
  };
  const [asked, setAsked] = useState<DeletedSession | null>(null);
  const { data: deleted } = useQuery({
    queryKey: [...queryKeys.sessions, 'deleted'],
    queryFn: () => commands.deletedSessions(),
  });
  return (
    <section aria-label={text('data.deleted')}>
      <h3>{text('data.deleted')}</h3>
      {deleted?.length === 0 && <p className="Settings-quiet">{text('data.noDeleted')}</p>}
      {deleted && deleted.length > 1 && (
        <Button
          onClick={() => {
            reportError(restoreAll(deleted));
          }}
        >
          {text('data.restoreAll')}
        </Button>
      )}
      {deleted && deleted.length > 0 && (
        <VirtualList label={text('data.deleted')} rows={deleted} height={deletedRowHeight}>
          {(session) => (
            <DeletedSessionRow
              session={session}
              onPurge={() => {
                setAsked(session);
              }}
            />
          )}
        </VirtualList>
      )}
      {asked && (
        <PurgeDialog
          session={asked}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </section>
  );
}

type DeletedSessionRowProps = { session: DeletedSession; onPurge: () => void };

function DeletedSessionRow({ session, onPurge }: DeletedSessionRowProps) {
  const text = useText();
  const formats = useFormats();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const title = session.title ?? text('threads.untitled');
  const restore = async () => {
    await commands.restoreSessions([session.id]);
    toast({ words: text('data.broughtBack', { title }), of: sessionToastId(session.id) });
  };
  return (
    <>
      <Row>
        <span>{title}</span>
        <Button
          aria-label={text('data.bringBack', { title })}
          onClick={() => {
            reportError(restore());
          }}
        >
          {text('data.restore')}
        </Button>
        <Button aria-label={text('data.purgeOf', { title })} onClick={onPurge}>
          {text('data.purge')}
        </Button>
      </Row>
      <div className="Settings-quiet">
        {text('data.deletedAt', {
          messages: text('data.messages', { count: session.messages }),
          when: formats.minute(session.deletedAt),
          until: formats.minute(session.keptUntil),
        })}
      </div>
    </>
  );
}

type PurgeDialogProps = { session: DeletedSession; onClose: () => void };

function PurgeDialog({ session: { id, title, messages }, onClose }: PurgeDialogProps) {
  const text = useText();
  const reportError = useReportErrorToast();
  const withdraw = useWithdrawToasts();
  const { commands } = useBackend();
  const purge = async () => {
    await commands.purgeSession(id);
    // The toast with the undo of the deletion may still be shown.
    withdraw(sessionToastId(id));
  };
  const named = title ?? text('threads.untitled');
  return (
    <Dialog
      title={text('data.purgeTitle', { title: named })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              reportError(purge());
            }}
          >
            {text('data.purgeNow')}
          </Button>
        </>
      }
    >
      <p>{text('data.purgeWords', { messages: text('data.messages', { count: messages }) })}</p>
    </Dialog>
  );
}
