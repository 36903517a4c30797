/** The content of a conversation without messages: an explanation, and the model that will reply. */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { LocalServer, ModelView, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { isDemoModel } from '../../state/models/demoModel';
import { useLocalServers } from '../../state/queries/useLocalServers';
import { isSameModel } from '../../state/models/modelRef';
import { useSuggestedModels } from '../../state/models/suggestedModels';
import { useModels, useSession, useSessions } from '../../state/queries/queries';
import type { AppNavigation } from '../navigation/appNavigation';

type WelcomeProps = {
  sessionId: SessionId;
  navigation: Pick<AppNavigation, 'toProvider' | 'toSettings'>;
};

export function Welcome(props: WelcomeProps) {
  const text = useText();
  const { data: view } = useSession(props.sessionId);
  const { data: models } = useModels();
  const { data: sessions } = useSessions();
  const chosen = view?.model;
  const known = chosen && models?.find(({ model }) => isSameModel(model, chosen));
  const isOwn = known !== undefined && !isDemoModel(known.model);
  // A user with a second thread needs no explanation.
  const isBegun = view !== undefined && view.threads.length > 1;
  const isFirst = !isBegun && sessions !== undefined && sessions.length <= 1;
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
      {chosen && isDemoModel(chosen) && <p>{text('app.talkToDemo')}</p>}
      {models && view && !isOwn && <ModelSetupOptions {...props} />}
      {isFirst && (
        <p>
          <Button
            kind="quiet"
            icon="upload"
            onClick={() => {
              props.navigation.toSettings('data');
            }}
          >
            {text('app.bringAlong')}
          </Button>
        </p>
      )}
    </div>
  );
}

/** The ways to set up a model, if the user has none yet. */
function ModelSetupOptions({ sessionId, navigation: { toProvider } }: WelcomeProps) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { commands } = useBackend();
  const { servers, setUp } = useLocalServers();
  const offered = useSuggestedModels();
  const choose = async ({ model, name, providerName }: ModelView) => {
    await commands.setModel(sessionId, model);
    toast({ words: text('providers.used', { name: providerName, model: name }) });
  };
  const begin = async (server: LocalServer) => {
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
              reportError(go());
            }}
          >
            {words}
          </Button>
        ))}
        <Button
          onClick={() => {
            toProvider(null);
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
              toProvider(config.id);
            }}
          >
            {text('providers.toProviders')}
          </Button>
        </p>
      ))}
    </>
  );
}
