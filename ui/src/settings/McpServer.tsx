/**
 * One MCP server: how it is, what it said, and the question before it is started for the first time.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { McpServerStatus } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { Disclosure } from '../kit/Disclosure';
import { Row, Stack } from '../kit/Stack';
import { useToast } from '../kit/Toast';
import { keys } from '../state/reading';
import { useAttempt } from './saving';
import { stateWords } from './mcpWords';

export function McpServer({ server }: { server: McpServerStatus }) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const attempt = useAttempt();
  const { commands } = useBackend();
  const { name, state, stderr, tools } = server;
  const then = (work: Promise<unknown>) => {
    attempt(work.finally(() => client.invalidateQueries({ queryKey: keys.tools })));
  };
  const remove = async () => {
    const { settings } = await commands.settings();
    const entry = settings.mcpServers[name];
    await commands.removeMcpServer(name);
    const putBack = async () => {
      if (entry === undefined) return;
      const { settings: now } = await commands.settings();
      const mcpServers = { ...now.mcpServers, [name]: entry };
      await commands.saveSettings({ ...now, mcpServers });
    };
    toast({
      words: text('settings.mcpRemoved', { name }),
      undo: () => {
        then(putBack());
      },
    });
  };
  return (
    <section className="Settings-card" aria-label={name}>
      <Stack>
        <div>
          <strong>{name}</strong>
          <div data-failed={state.type === 'failed' || undefined}>{stateWords(text, state)}</div>
          {state.type === 'ready' && (
            <div>{text('settings.mcpTools', { count: tools.length })}</div>
          )}
        </div>
        {state.type === 'needsConsent' && (
          <Banner
            kind="warning"
            actions={
              <Button
                onClick={() => {
                  then(commands.allowMcpServer(state.command));
                }}
              >
                {text('settings.mcpAllow')}
              </Button>
            }
          >
            {text('settings.mcpAsk')}
            <pre className="Settings-text">{state.command}</pre>
          </Banner>
        )}
        {stderr.length > 0 && (
          <Disclosure label={text('settings.mcpOutput')}>
            <pre className="Settings-text">{stderr.join('\n')}</pre>
          </Disclosure>
        )}
        <Row>
          {state.type !== 'needsConsent' && (
            <Button
              icon="refresh"
              onClick={() => {
                then(commands.restartMcpServer(name));
              }}
            >
              {text('settings.mcpRestart')}
            </Button>
          )}
          <Button
            icon="trash"
            onClick={() => {
              then(remove());
            }}
          >
            {text('settings.remove')}
          </Button>
        </Row>
      </Stack>
    </section>
  );
}
