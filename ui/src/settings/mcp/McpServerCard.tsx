/**
 * One MCP server: its state, its output, and the consent before its first start.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { McpServerStatus, ToolView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Row, Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { useToast } from '../../kit/notifications/Toast';
import { escapeInvisible } from '../../kit/text/invisibleChars';
import { queryKeys } from '../../state/queries/queries';
import { McpConsentBanner } from './McpConsentBanner';
import { McpValues } from './McpValues';
import { mcpStateText } from './mcpText';
import { useReportErrorToast, type SessionSettingsPageProps } from '../useSaveSettings';
import { McpSignInControls } from './McpSignInControls';
import { ToolTable } from '../tools/ToolTable';

type McpServerCardProps = {
  server: McpServerStatus;
  tools: readonly ToolView[];
  page: SessionSettingsPageProps;
};

const listNames = (names: readonly string[]) => names.map(escapeInvisible).join(', ');

export function McpServerCard({ server, tools: all, page }: McpServerCardProps) {
  const text = useText();
  const formats = useFormats();
  const toast = useToast();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const { name, state, stderr, prompts, resources } = server;
  const own = new Set(server.tools.map((tool) => tool.name));
  const tools = all.filter((tool) => own.has(tool.name));
  const leftOut = tools.filter((tool) => tool.leftOut).map((tool) => tool.name);
  const isDeferred = tools.some((tool) => tool.deferred);
  const tokens = tools.reduce((sum, tool) => sum + (tool.on ? tool.tokens : 0), 0);
  const then = (work: Promise<unknown>) => {
    reportError(work.finally(() => client.invalidateQueries({ queryKey: queryKeys.tools })));
  };
  const remove = async () => {
    await commands.removeMcpServer(name);
    toast({
      words: text('mcp.removed', { name }),
      undo: () => {
        then(commands.restoreMcpServer(name));
      },
    });
  };
  return (
    <section className="Settings-card" aria-label={name}>
      <Stack>
        <Switch
          label={name}
          hint={mcpStateText(text, server)}
          checked={state.type !== 'off'}
          onChange={(on) => {
            then(commands.enableMcpServer(name, on));
          }}
        />
        {state.type === 'failed' && state.retryAt !== null && (
          <p data-failed>{text('toolSettings.retry')}</p>
        )}
        <McpValues server={server} then={then} />
        {prompts.length + resources.length > 0 && (
          <p className="Settings-quiet">
            {text('toolSettings.offersPrompts', { count: prompts.length })} ·{' '}
            {text('toolSettings.offersResources', { count: resources.length })}
          </p>
        )}
        {tools.length > 0 && (
          <Disclosure
            label={text(
              isDeferred ? 'toolSettings.deferredServerTools' : 'toolSettings.serverTools',
              {
                count: tools.length,
                tokens: formats.exact(tokens),
              },
            )}
          >
            <ToolTable
              label={text('mcp.tools', { count: tools.length })}
              tools={tools}
              settings={page.settings}
              save={page.save}
            />
          </Disclosure>
        )}
        {server.tooLong.length > 0 && (
          <p data-failed>{text('mcp.tooLong', { names: listNames(server.tooLong) })}</p>
        )}
        {leftOut.length > 0 && (
          <p data-failed>{text('sentTools.toolsLeftOut', { names: listNames(leftOut) })}</p>
        )}
        {server.shortened.length > 0 && (
          <p className="Settings-quiet">
            {text('mcp.shortened', { names: listNames(server.shortened) })}
          </p>
        )}
        {state.type === 'needsConsent' && (
          <McpConsentBanner
            key={state.command}
            asked={state}
            onAllow={() => {
              then(commands.allowMcpServer(state.command));
            }}
          />
        )}
        {stderr.length > 0 && (
          <Disclosure label={text('mcp.output')}>
            <pre className="Settings-text">{stderr.join('\n')}</pre>
          </Disclosure>
        )}
        <Row>
          <McpSignInControls server={server} then={then} />
          {state.type !== 'needsConsent' && state.type !== 'off' && (
            <Button
              icon="refresh"
              onClick={() => {
                then(commands.restartMcpServer(name));
              }}
            >
              {text('mcp.restart')}
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
