/**
 * What MCP servers offer for the box: prompts, which are commands there, and resources, which are
 * attached.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { McpPromptInfo, McpServerStatus } from '../ipc/bindings';
import { beside, keys, type Manner } from './reading';

export function useServers(manner: Manner = beside) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.tools, 'mcp'],
    queryFn: () => commands.mcpServers(),
    ...manner,
  });
}

/** The servers that have something to attach. */
export function useResources(): readonly McpServerStatus[] {
  const { data } = useServers();
  return data?.filter(({ resources }) => resources.length > 0) ?? [];
}

/** A prompt of a server, as a command: `/server:prompt`, found however it is written. */
type PromptCommand = { name: string; server: string; prompt: McpPromptInfo };

/** The prompts of all servers, to be listed among the commands. */
export function usePromptCommands(): readonly PromptCommand[] {
  const { data } = useServers();
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

/** Fills a prompt in; the text it comes to goes into the box. */
export function useFillPrompt() {
  const { commands } = useBackend();
  return ({ server, prompt }: PromptCommand, values: Readonly<Record<string, string>>) =>
    commands.mcpPrompt(server, prompt.name, { ...values });
}
