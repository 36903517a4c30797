/**
 * The model servers that were found on this machine, each with a button that adds it.
 */
import { useText } from '../../i18n';
import type { LocalServer, ProviderId, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useLocalServers } from '../../state/queries/useLocalServers';
import { providerToastId } from '../../state/text/toastIds';
import { useReportErrorToast } from '../useSaveSettings';
import { useTryProvider } from './useTryProvider';

type LocalServerListProps = {
  /** The session behind the settings. */
  session: SessionId | null;
  onAdded: (provider: ProviderId) => void;
};

export function LocalServerList({ session, onAdded }: LocalServerListProps) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const here = useTryProvider(session);
  const { servers, setUp } = useLocalServers();
  if (servers.length === 0) return null;
  const add = async (server: LocalServer) => {
    const { provider } = await setUp(server);
    onAdded(provider);
    const words = text('settings.providerSaved', { name: server.name });
    toast({ words, of: providerToastId(provider), ...(await here(provider)) });
  };
  return (
    <ul className="Settings-list" aria-label={text('providers.foundList')}>
      {servers.map((server) => (
        <li key={server.baseUrl} className="Settings-provider">
          <Button
            icon="add"
            onClick={() => {
              reportError(add(server));
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
