/**
 * "Data": what comes in and goes out, copies of everything, what was deleted, and where it all is kept.
 */
import { useText } from '../i18n';
import { ErrorBoundary } from '../kit/ErrorBoundary';
import { IconButton } from '../kit/IconButton';
import { Stack } from '../kit/Stack';
import { useToast } from '../kit/Toast';
import { needed, usePlaces } from '../state/reading';
import { useShowing } from '../state/showing';
import { Backups } from './Backups';
import { DeletedMessages } from './DeletedMessages';
import { DeletedSessions } from './DeletedSessions';
import type { PageProps } from './saving';
import { Transfer } from './Transfer';

export function DataPage({ settings, save }: PageProps) {
  const { data: places } = usePlaces();
  return (
    <Stack>
      <Transfer />
      {places && <Backups {...{ places, settings, save }} />}
      <ErrorBoundary holds="deleted">
        <DeletedSessions />
        <DeletedMessages />
      </ErrorBoundary>
      <ErrorBoundary holds={places}>
        <Places />
      </ErrorBoundary>
    </Stack>
  );
}

function Places() {
  const text = useText();
  const show = useShowing(useToast());
  const { data: places } = usePlaces(needed);
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
                  {text('data.beside', { files: besideNames(places.database).join(', ') })}
                </dd>
              )}
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** What SQLite keeps beside a database while it is open. */
const besideNames = (database: string): string[] => {
  const name = database.split(/[/\\]/).at(-1) ?? database;
  return [`${name}-wal`, `${name}-shm`];
};
