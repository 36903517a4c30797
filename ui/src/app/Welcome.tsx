/**
 * What stands in a conversation before its first word: what this is, and who will answer.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Found, ModelView, ProviderId, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { isDemo } from '../state/demo';
import { useLocalServers } from '../state/localServers';
import { isModel } from '../state/model';
import { useOffered } from '../state/offered';
import { useModels, useSession } from '../state/reading';

type WelcomeProps = {
  sessionId: SessionId;
  /** Opens the form of a provider; null: of a new one. */
  onProvider: (provider: ProviderId | null) => void;
};

export function Welcome(props: WelcomeProps) {
  const text = useText();
  const { data: view } = useSession(props.sessionId);
  const { data: models } = useModels();
  const chosen = view?.model;
  const known = chosen && models?.find(({ model }) => isModel(model, chosen));
  const isOwn = known !== undefined && !isDemo(known.model);
  // Who is in a further thread knows what this is.
  const isBegun = view !== undefined && view.threads.length > 1;
  return (
    <div className="Welcome">
      {isBegun ? (
        <h1>{text('threads.newThread')}</h1>
      ) : (
        <>
          <h1>{text('app.welcome')}</h1>
          <p>{text('app.welcomeText')}</p>
        </>
      )}
      {isOwn && <p>{text('app.willAnswer', { model: known.name })}</p>}
      {chosen && isDemo(chosen) && <p>{text('app.talkToDemo')}</p>}
      {models && !isOwn && <WaysToModel {...props} />}
    </div>
  );
}

/** Where no model of the person's answers yet: how one is had. */
function WaysToModel({ sessionId, onProvider }: WelcomeProps) {
  const text = useText();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const { commands } = useBackend();
  const { servers, setUp } = useLocalServers();
  const offered = useOffered();
  const choose = async ({ model, providerName }: ModelView) => {
    await commands.setModel(sessionId, model);
    toast({ words: text('providers.used', { name: providerName, model: model.model }) });
  };
  const begin = async (server: Found) => {
    const model = await setUp(server);
    await commands.setModel(sessionId, model);
    toast({ words: text('providers.used', { name: server.name, model: model.model }) });
  };
  const ways = [
    ...offered.models.map((model) => ({
      key: model.model.provider,
      words: text('app.useModel', { name: model.providerName, model: model.name }),
      go: () => choose(model),
    })),
    ...servers.map((server) => ({
      key: server.baseUrl,
      words: text('providers.foundHere', { name: server.name }),
      go: () => begin(server),
    })),
  ];
  return (
    <>
      <p className="Welcome-ways">
        {ways.map(({ key, words, go }, at) => (
          <Button
            key={key}
            kind={at === 0 ? 'primary' : 'plain'}
            onClick={() => {
              attempt(go());
            }}
          >
            {words}
          </Button>
        ))}
        <Button
          onClick={() => {
            onProvider(null);
          }}
        >
          {text('app.addProvider')}
        </Button>
      </p>
      {offered.withoutKey.map(({ config }) => (
        <p key={config.id}>
          {text('app.withoutKey', { name: config.name })}{' '}
          <Button
            kind="quiet"
            onClick={() => {
              onProvider(config.id);
            }}
          >
            {text('providers.toProviders')}
          </Button>
        </p>
      ))}
    </>
  );
}
