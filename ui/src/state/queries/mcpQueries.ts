/**
 * The offers of MCP servers in the composer: prompts, which become commands, and resources, which can be
 * attached.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { McpPromptInfo, McpServerStatus } from '../../ipc/bindings';
import { optional, queryKeys, type ReadMode } from './queries';

export function useMcpServers(manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.tools, 'mcp'],
    queryFn: () => commands.mcpServers(),
    ...manner,
  });
}

export function useServersWithResources(): readonly McpServerStatus[] {
  const { data } = useMcpServers();
  return data?.filter(({ resources }) => resources.length > 0) ?? [];
}

/** A prompt of a server as a command: `/server:prompt`. */
type McpPromptCommand = { name: string; server: string; prompt: McpPromptInfo };

/** The prompts of all servers. */
export function useMcpPromptCommands(): readonly McpPromptCommand[] {
  const { data } = useMcpServers();
  return (
    data?.flatMap(({ name: server, prompts }) =>
      prompts.map((prompt) => ({
        name: `${server}:${prompt.name}`.toLowerCase().replace(/\s+/g, '-'),
        server,
        prompt,
      })),
    ) ?? []
  );
}

/** Returns the text of a prompt with its arguments filled in. */
export function useFillMcpPrompt() {
  const { commands } = useBackend();
  return ({ server, prompt }: McpPromptCommand, values: Readonly<Record<string, string>>) =>
    commands.mcpPrompt(server, prompt.name, { ...values });
}
