/**
 * Said where a server that is turned on is not there: what the model would have been told of its tools is
 * missing from what it is sent, and it answers as if there were none.
 */
import { useFormats, useText } from '../i18n';
import type { McpState } from '../ipc/bindings';
import { useMcpServers } from '../state/queries/mcpQueries';

export function McpServersNotice({ replying }: { replying: boolean }) {
  const text = useText();
  const formats = useFormats();
  const { data: servers = [] } = useMcpServers();
  const are = (type: McpState['type']) =>
    servers.filter(({ state }) => state.type === type).map(({ name }) => name);
  const [failed, starting] = [are('failed'), replying ? are('starting') : []];
  return (
    <>
      {starting.length > 0 && (
        <p role="status" className="Composer-notice">
          {text('mcp.stillStarting', { names: formats.list(starting) })}
        </p>
      )}
      {failed.length > 0 && (
        <p role="status" className="Composer-notice">
          {text('mcp.notThere', { names: formats.list(failed) })}
        </p>
      )}
    </>
  );
}
