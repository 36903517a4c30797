/**
 * "Data": where everything is kept, and a copy of it.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { Button } from '../kit/Button';
import { Row, Stack } from '../kit/Stack';
import { useToast } from '../kit/Toast';
import { useAttempt } from './saving';

const placesKey = ['places'];

export function DataPage() {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const attempt = useAttempt();
  const { commands } = useBackend();
  const { data: places } = useQuery({
    queryKey: placesKey,
    queryFn: () => commands.places(),
    staleTime: 0,
  });
  const backUp = async () => {
    const path = await commands.backUp();
    toast({ words: text('settings.backedUp', { path }) });
    await client.invalidateQueries({ queryKey: placesKey });
  };
  return (
    <Stack>
      {places && (
        <dl className="Settings-terms">
          {(['config', 'data', 'database'] as const).map((place) => (
            <div key={place}>
              <dt>{text(`settings.place_${place}`)}</dt>
              <dd className="Settings-path">{places[place]}</dd>
            </div>
          ))}
        </dl>
      )}
      <Row>
        <Button
          icon="archive"
          onClick={() => {
            attempt(backUp());
          }}
        >
          {text('settings.backUp')}
        </Button>
      </Row>
      {places && (
        <section aria-label={text('settings.backups')}>
          <h3>{text('settings.backups')}</h3>
          {places.backups.length === 0 && <p>{text('settings.noBackups')}</p>}
          <ul className="Settings-list">
            {places.backups.map((path) => (
              <li key={path} className="Settings-path">
                {path}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}
