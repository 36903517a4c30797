/**
 * "Tools and MCP": what the model may call, what that costs, and what runs without a question.
 */
import { useText } from '../i18n';
import { ErrorBoundary } from '../kit/ErrorBoundary';
import { Stack } from '../kit/Stack';
import { optional, required } from '../state/reading';
import { useMcpServers } from '../state/servers';
import { useTools } from '../state/tooling';
import { BuiltInTools } from './BuiltInTools';
import { AllowedTools } from './Grants';
import { McpServerCard } from './McpServer';
import { AddMcpServers } from './PasteServers';
import type { SessionSettingsPageProps } from './saving';
import { WebSearch } from './WebSearch';

export function ToolsPage(page: SessionSettingsPageProps) {
  return (
    <Stack>
      <ErrorBoundary holds={page.session}>
        <McpServerList {...page} />
      </ErrorBoundary>
      <AddMcpServers />
      <ErrorBoundary holds={page.session}>
        <BuiltInTools {...page} />
      </ErrorBoundary>
      <WebSearch {...page} />
      <ErrorBoundary holds={page.session}>
        <AllowedTools />
      </ErrorBoundary>
    </Stack>
  );
}

function McpServerList(page: SessionSettingsPageProps) {
  const text = useText();
  const { data: servers } = useMcpServers(required);
  const { data: tools = [] } = useTools(page.session, optional);
  return (
    <section aria-label={text('mcp.servers')}>
      <h3>{text('mcp.servers')}</h3>
      {servers?.length === 0 && <p>{text('mcp.none')}</p>}
      <ul className="Settings-list">
        {servers?.map((server) => (
          <li key={server.name}>
            <McpServerCard server={server} tools={tools} page={page} />
          </li>
        ))}
      </ul>
    </section>
  );
}
