/**
 * "Tools and MCP": the tools that the model may call, their token cost, and the lasting grants.
 */
import { useText } from '../../i18n';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { Stack } from '../../kit/display/Stack';
import { optional, required } from '../../state/queries/queries';
import { useMcpServers } from '../../state/queries/mcpQueries';
import { useTools } from '../../state/queries/toolQueries';
import { BuiltInTools } from '../tools/BuiltInTools';
import { AllowedTools } from '../tools/AllowedTools';
import { McpServerCard } from '../mcp/McpServerCard';
import { AddMcpServers } from '../mcp/AddMcpServers';
import type { SessionSettingsPageProps } from '../useSaveSettings';
import { ToolLoadingSetting } from '../tools/ToolLoadingSetting';
import { WebSearch } from '../tools/WebSearch';

export function ToolsPage(page: SessionSettingsPageProps) {
  return (
    <Stack>
      <ErrorBoundary holds={page.session}>
        <McpServerList {...page} />
      </ErrorBoundary>
      <AddMcpServers />
      <ToolLoadingSetting {...page} />
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
