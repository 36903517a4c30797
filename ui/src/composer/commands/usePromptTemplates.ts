/**
 * The prompts among the commands: the person's own, and those of MCP servers.
 */
import type { McpPromptArgument } from '../../ipc/bindings';
import { useUserPrompts } from '../../state/queries/useUserPrompts';
import { useFillMcpPrompt, useMcpPromptCommands } from '../../state/queries/mcpQueries';
import { fillVariables, promptVariables } from './promptVariables';

export type PromptTemplate = {
  /** What is written behind the slash. */
  name: string;
  /** What it is called where it is filled in. */
  title: string;
  /** What it is for. */
  words: string;
  asks: readonly McpPromptArgument[];
  fill: (values: Readonly<Record<string, string>>) => Promise<string>;
};

/** The person's own come first. One that is called as a command is, is offered under a longer name. */
export function usePromptTemplates(taken: readonly string[]): readonly PromptTemplate[] {
  const { data: own } = useUserPrompts();
  const ofServers = useMcpPromptCommands();
  const fill = useFillMcpPrompt();
  return [
    ...(own?.prompts ?? []).map(({ name, description, words }): PromptTemplate => ({
      name: taken.includes(name) ? `prompt:${name}` : name,
      title: name,
      words: description ?? firstLine(words),
      asks: promptVariables(words).map((asked) => ({
        name: asked,
        description: null,
        required: true,
      })),
      fill: (values) => Promise.resolve(fillVariables(words, values)),
    })),
    ...ofServers.map((one): PromptTemplate => ({
      name: one.name,
      title: one.prompt.title ?? one.prompt.name,
      words: one.prompt.description ?? one.prompt.title ?? one.prompt.name,
      asks: one.prompt.arguments,
      fill: (values) => fill(one, values),
    })),
  ];
}

const firstLine = (words: string) => words.split('\n', 1)[0] ?? '';
