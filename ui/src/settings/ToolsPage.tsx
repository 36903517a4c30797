/**
 * "Tools and MCP": what the model may call, what that costs, and what runs without a question.
 */
import { useText } from '../i18n';
import { ErrorBoundary } from '../kit/ErrorBoundary';
import { Stack } from '../kit/Stack';
import { beside, needed } from '../state/reading';
import { useServers } from '../state/servers';
import { useTools } from '../state/tooling';
import { BuiltInTools } from './BuiltInTools';
import { Grants } from './Grants';
import { McpServer } from './McpServer';
import { PasteServers } from './PasteServers';
import type { SessionPageProps } from './saving';
import { WebSearch } from './WebSearch';

export function ToolsPage(page: SessionPageProps) {
  return (
    <Stack>
      <ErrorBoundary holds={page.session}>
        <Servers {...page} />
      </ErrorBoundary>
      <PasteServers />
      <ErrorBoundary holds={page.session}>
        <BuiltInTools {...page} />
      </ErrorBoundary>
      <WebSearch {...page} />
      <ErrorBoundary holds={page.session}>
        <Grants />
      </ErrorBoundary>
    </Stack>
  );
}

function Servers(page: SessionPageProps) {
  const text = useText();
  const { data: servers } = useServers(needed);
  const { data: tools = [] } = useTools(page.session, beside);
  return (
    <section aria-label={text('mcp.servers')}>
      <h3>{text('mcp.servers')}</h3>
      {servers?.length === 0 && <p>{text('mcp.none')}</p>}
      <ul className="Settings-list">
        {servers?.map((server) => (
          <li key={server.name}>
            <McpServer server={server} tools={tools} page={page} />
          </li>
        ))}
      </ul>
    </section>
  );
}
