/**
 * What stands in a conversation before its first word: what this is, and who will answer.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Found, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { useToast } from '../kit/Toast';
import { asFault } from '../state/actions';
import { faultWords } from '../state/faults';
import { useLocalServers } from '../state/localServers';

type WelcomeProps = { sessionId: SessionId; onProvider: () => void };

export function Welcome({ sessionId, onProvider }: WelcomeProps) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const { servers, setUp } = useLocalServers();
  const begin = async (server: Found) => {
    const model = await setUp(server);
    await commands.setModel(sessionId, model);
    toast({ words: text('providers.used', { name: server.name, model: model.model }) });
  };
  return (
    <div className="Welcome">
      <h1>{text('app.welcome')}</h1>
      <p>{text('app.welcomeText')}</p>
      <p>{text('app.talkToDemo')}</p>
      <p className="Welcome-ways">
        {servers.map((server) => (
          <Button
            key={server.baseUrl}
            kind="primary"
            onClick={() => {
              begin(server).catch((thrown: unknown) => {
                toast({ words: faultWords(text, asFault(thrown)), failed: true });
              });
            }}
          >
            {text('providers.foundHere', { name: server.name })}
          </Button>
        ))}
        <Button onClick={onProvider}>{text('app.addProvider')}</Button>
      </p>
    </div>
  );
}
