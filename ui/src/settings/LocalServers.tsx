/**
 * Servers found running on this machine, each a click away from being used.
 */
import { useText } from '../i18n';
import type { ProviderId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { useLocalServers } from '../state/localServers';
import { useAttempt } from './saving';

export function LocalServers({ onAdded }: { onAdded: (provider: ProviderId) => void }) {
  const text = useText();
  const attempt = useAttempt();
  const { servers, setUp } = useLocalServers();
  if (servers.length === 0) return null;
  return (
    <ul className="Settings-list" aria-label={text('providers.foundList')}>
      {servers.map((server) => (
        <li key={server.baseUrl} className="Settings-provider">
          <Button
            icon="add"
            onClick={() => {
              attempt(
                setUp(server).then(({ provider }) => {
                  onAdded(provider);
                }),
              );
            }}
          >
            {text('providers.foundHere', { name: server.name })}
          </Button>
          <span className="Settings-path Settings-quiet">{server.baseUrl}</span>
        </li>
      ))}
    </ul>
  );
}
