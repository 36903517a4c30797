/**
 * "Data": import and export, backups, deleted items, and the paths of the data.
 */
import { useText } from '../../i18n';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { IconButton } from '../../kit/controls/IconButton';
import { Stack } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { required, useDataPaths } from '../../state/queries/queries';
import { useRevealFile } from '../../state/app/useRevealFile';
import { Backups } from '../data/Backups';
import { DeletedMessages } from '../data/DeletedMessages';
import { DeletedSessions } from '../data/DeletedSessions';
import type { SettingsPageProps } from '../useSaveSettings';
import { ImportExport } from '../data/ImportExport';

export function DataPage({ settings, save }: SettingsPageProps) {
  const { data: places } = useDataPaths();
  return (
    <Stack>
      <ImportExport />
      {places && <Backups {...{ places, settings, save }} />}
      <ErrorBoundary holds="deleted">
        <DeletedSessions />
        <DeletedMessages />
      </ErrorBoundary>
      <ErrorBoundary holds={places}>
        <DataPaths />
      </ErrorBoundary>
    </Stack>
  );
}

function DataPaths() {
  const text = useText();
  const show = useRevealFile(useToast());
  const { data: places } = useDataPaths(required);
  if (!places) return null;
  return (
    <section aria-label={text('data.places')}>
      <h3>{text('data.places')}</h3>
      <p className="Settings-quiet">{text('data.moving')}</p>
      <dl className="Settings-terms">
        {(['config', 'data', 'database'] as const).map((place) => {
          const name = text(`data.place_${place}`);
          return (
            <div key={place}>
              <dt>
                {name}
                <IconButton
                  icon="folder"
                  label={text('data.show', { place: name })}
                  onClick={() => {
                    show(places[place]);
                  }}
                />
              </dt>
              <dd className="Settings-path">{places[place]}</dd>
              {place === 'database' && (
                <dd className="Settings-quiet">
                  {text('data.beside', { files: walFileNames(places.database).join(', ') })}
                </dd>
              )}
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** The files that SQLite keeps beside an open database. */
const walFileNames = (database: string): string[] => {
  const name = database.split(/[/\\]/).at(-1) ?? database;
  return [`${name}-wal`, `${name}-shm`];
};
