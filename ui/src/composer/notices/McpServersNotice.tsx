/**
 * Names the enabled MCP servers that failed or are still starting: the model does not know their tools and
 * answers as if there were none.
 */
import { useFormats, useText } from '../../i18n';
import type { McpState } from '../../ipc/bindings';
import { useMcpServers } from '../../state/queries/mcpQueries';

export function McpServersNotice({ replying }: { replying: boolean }) {
  const text = useText();
  const formats = useFormats();
  const { data: servers = [] } = useMcpServers();
  const serversIn = (type: McpState['type']) =>
    servers.filter(({ state }) => state.type === type).map(({ name }) => name);
  const [failed, starting] = [serversIn('failed'), replying ? serversIn('starting') : []];
  return (
    <>
      {starting.length > 0 && (
        <p role="status" className="Composer-notice">
          {text('composer.serversStarting', { names: formats.list(starting) })}
        </p>
      )}
      {failed.length > 0 && (
        <p role="status" className="Composer-notice">
          {text('composer.serversMissing', { names: formats.list(failed) })}
        </p>
      )}
    </>
  );
}
