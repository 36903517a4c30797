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
            </div>
          );
        })}
      </dl>
    </section>
  );
}
