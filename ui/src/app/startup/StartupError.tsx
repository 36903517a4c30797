/**
 * Replaces the conversations after a failed start: shows the error and the ways to recover, none
 * of which loses data.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Error as AppError, StartupError as StartFaultView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Row } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { backupText } from '../../state/text/backupText';
import { errorText, toAppError } from '../../state/text/errorText';
import { optional, queryKeys } from '../../state/queries/queries';
import { useRevealFile } from '../../state/app/useRevealFile';
import './StartupError.css';

/** The errors that another database would solve. */
const databaseErrors: Partial<Record<AppError['kind'], true>> = {
  databaseNewer: true,
  databaseDamaged: true,
  databaseForeign: true,
  storage: true,
};

export function StartupError({ fault }: { fault: StartFaultView }) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const { commands } = useBackend();
  const show = useRevealFile(toast);
  const { data: version } = useQuery({
    queryKey: ['version'],
    queryFn: () => commands.version(),
    ...optional,
  });
  const { error, folder, backups } = fault;
  const replaceable = databaseErrors[error.kind] === true;
  const attempt = (work: Promise<unknown>) => {
    work
      .then(() => client.resetQueries())
      .catch((thrown: unknown) => {
        toast({ words: errorText(text, toAppError(thrown)), failed: true });
        void client.invalidateQueries({ queryKey: queryKeys.start });
      });
  };
  const hasCopies = replaceable && backups.length > 0;
  // A damaged file stays damaged at the next attempt.
  const beginsWithCopy = hasCopies && error.kind === 'databaseDamaged';
  const copies = hasCopies && (
    <section aria-label={text('start.copies')}>
      <h2>{text('start.copies')}</h2>
      <p>{text('start.copiesHint')}</p>
      <BackupList
        fault={fault}
        first={beginsWithCopy ? 'primary' : 'plain'}
        onBegin={(path) => {
          attempt(commands.startWithBackup(path));
        }}
      />
    </section>
  );
  return (
    <main className="StartFault">
      <h1>{title(text, error)}</h1>
      <p role="alert">{errorText(text, error)}</p>
      {replaceable && <p>{text('start.kept')}</p>}
      {beginsWithCopy && copies}
      <Row>
        <Button
          kind={beginsWithCopy ? 'plain' : 'primary'}
          icon="refresh"
          onClick={() => {
            attempt(commands.startAgain());
          }}
        >
          {text('start.tryAgain')}
        </Button>
        <Button
          icon="folder"
          onClick={() => {
            show(folder);
          }}
        >
          {text('start.show')}
        </Button>
      </Row>
      {!beginsWithCopy && copies}
      {replaceable && (
        <section aria-label={text('start.anew')}>
          <h2>{text('start.anew')}</h2>
          <p>{text('start.anewHint')}</p>
          <Button
            onClick={() => {
              attempt(commands.startAnew());
            }}
          >
            {text('start.anew')}
          </Button>
        </section>
      )}
      {version !== undefined && (
        <p className="StartFault-version">{text('start.version', { version })}</p>
      )}
    </main>
  );
}

type BackupListProps = {
  fault: StartFaultView;
  /** The emphasis of the first button, for the newest backup. */
  first: 'primary' | 'plain';
  onBegin: (path: string) => void;
};

/** The backups, newest first. */
function BackupList({ fault: { backups }, first, onBegin }: BackupListProps) {
  const text = useText();
  const formats = useFormats();
  return (
    <ul>
      {backups.map((backup, at) => (
        <li key={backup.path}>
          <span>{backupText(text, formats, backup)}</span>
          <Button
            kind={at === 0 ? first : 'plain'}
            aria-label={text('start.beginOf', { when: formats.moment(backup.at) })}
            onClick={() => {
              onBegin(backup.path);
            }}
          >
            {text('start.begin')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function title(text: ReturnType<typeof useText>, { kind }: AppError): string {
  if (kind === 'databaseNewer') return text('start.newer');
  if (kind === 'databaseDamaged') return text('start.damaged');
  if (kind === 'databaseForeign') return text('start.foreign');
  if (kind === 'databaseLocked') return text('start.locked');
  if (kind === 'diskFull') return text('start.unwritable');
  if (kind === 'diskFailing') return text('start.failing');
  return text('start.failed');
}
