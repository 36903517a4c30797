/**
 * Backups of the database: made by the user or daily, listed and restored. A restore checks the backup
 * first and backs up the current database.
 */
import { useState } from 'react';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { BackupContent, DataLocations } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { Spinner } from '../../kit/display/Spinner';
import { Row } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { useToast } from '../../kit/notifications/Toast';
import { backupErrorText, backupText } from '../../state/text/backupText';
import { useReportErrorToast, type SettingsPageProps } from '../useSaveSettings';

type RestoreRequest = { path: string; content: BackupContent };

type BackupsProps = SettingsPageProps & { places: DataLocations };

export function Backups({ places: { backups, uncopied }, settings, save }: BackupsProps) {
  const text = useText();
  const formats = useFormats();
  const toast = useToast();
  const { commands, desktop } = useBackend();
  const [asked, setAsked] = useState<RestoreRequest | null>(null);
  const { pending, setPending, during } = useBackupOperation();
  const isPending = pending !== null;
  const backUp = async () => {
    const path = await commands.backUp();
    toast({ words: text('data.backedUp', { path }) });
  };
  const ask = async (path: string) => {
    setPending('examining');
    setAsked({ path, content: await commands.examineBackup(path) });
  };
  const pick = async () => {
    const kind = { name: text('data.databases'), endings: ['db'] };
    const path = await desktop.pickFile(text('data.restoreTitle'), [kind]);
    if (path !== null) await ask(path);
  };
  return (
    <section aria-label={text('data.backups')}>
      <h3>{text('data.backups')}</h3>
      <Switch
        label={text('data.dailyBackup')}
        hint={text('data.dailyBackupHint')}
        checked={settings.dailyBackup}
        onChange={(dailyBackup) => {
          save((old) => ({ ...old, dailyBackup }));
        }}
      />
      {uncopied && <Banner kind="warning">{backupErrorText(text, uncopied)}</Banner>}
      <Row>
        <Button
          icon="archive"
          disabled={isPending}
          onClick={() => {
            during('copying', backUp());
          }}
        >
          {text('data.backUp')}
        </Button>
        <Button
          icon="folder"
          disabled={isPending}
          onClick={() => {
            during('choosing', pick());
          }}
        >
          {text('data.restoreFile')}
        </Button>
        {isPending && pending !== 'choosing' && <Spinner>{text(`data.${pending}`)}</Spinner>}
      </Row>
      {backups.length === 0 && <p className="Settings-quiet">{text('data.noBackups')}</p>}
      <ul className="Settings-list">
        {backups.map((backup) => (
          <li key={backup.path}>
            <Row>
              <span>{backupText(text, formats, backup)}</span>
              <Button
                aria-label={text('data.restoreOf', { when: formats.moment(backup.at) })}
                disabled={isPending}
                onClick={() => {
                  during('examining', ask(backup.path));
                }}
              >
                {text('data.restore')}
              </Button>
            </Row>
            <div className="Settings-path Settings-quiet">{backup.path}</div>
          </li>
        ))}
      </ul>
      {asked && (
        <RestoreDialog
          asked={asked}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </section>
  );
}

/** The action that runs; choosing a file is one too. */
type BackupOperation = 'choosing' | 'copying' | 'examining' | 'restoring';

/** Runs one action at a time: copying and checking a large database takes a while. */
function useBackupOperation() {
  const reportError = useReportErrorToast();
  const [pending, setPending] = useState<BackupOperation | null>(null);
  const during = (next: BackupOperation, work: Promise<unknown>) => {
    setPending(next);
    reportError(
      work.finally(() => {
        setPending(null);
      }),
    );
  };
  return { pending, setPending, during };
}

/**
 * A running restore cannot be cancelled: Skein restarts afterwards, also after the dialog has closed.
 */
function RestoreDialog({
  asked: { path, content },
  onClose,
}: {
  asked: RestoreRequest;
  onClose: () => void;
}) {
  const text = useText();
  const formats = useFormats();
  const { pending, during } = useBackupOperation();
  const { commands } = useBackend();
  const runs = pending !== null;
  return (
    <Dialog
      title={text('data.restoreTitle')}
      onClose={runs ? () => undefined : onClose}
      actions={
        <>
          <Button data-initial-focus disabled={runs} onClick={onClose}>
            {text('kit.cancel')}
          </Button>
          <Button
            kind="primary"
            disabled={runs}
            onClick={() => {
              during('restoring', commands.restore(path));
            }}
          >
            {text('data.restoreNow')}
          </Button>
        </>
      }
    >
      <p className="Settings-path">{path}</p>
      <p>
        {text('data.copyHolds', {
          sessions: text('data.sessions', { count: content.sessions }),
          messages: text('data.messages', { count: content.messages }),
          last: content.lastAt === null ? '–' : formats.minute(content.lastAt),
        })}
      </p>
      <p>{text('data.restoreWords')}</p>
      {runs && <Spinner>{text('data.restoring')}</Spinner>}
    </Dialog>
  );
}
