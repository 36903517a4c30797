/**
 * The prompts that are offered as commands: the user's own, and those of MCP servers.
 */
import type { McpPromptArgument } from '../../ipc/bindings';
import { useUserPrompts } from '../../state/queries/useUserPrompts';
import { useFillMcpPrompt, useMcpPromptCommands } from '../../state/queries/mcpQueries';
import { fillVariables, promptVariables } from './promptVariables';

export type PromptTemplate = {
  /** The command's name, after the slash. */
  name: string;
  /** The title of the dialog that asks for its arguments. */
  title: string;
  description: string;
  arguments: readonly McpPromptArgument[];
  fill: (values: Readonly<Record<string, string>>) => Promise<string>;
};

/** The user's own come first. One that is named like a command gets the prefix `prompt:`. */
export function usePromptTemplates(commandNames: readonly string[]): readonly PromptTemplate[] {
  const { data: own } = useUserPrompts();
  const serverPrompts = useMcpPromptCommands();
  const fill = useFillMcpPrompt();
  return [
    ...(own?.prompts ?? []).map(({ name, description, words }): PromptTemplate => ({
      name: commandNames.includes(name) ? `prompt:${name}` : name,
      title: name,
      description: description ?? firstLine(words),
      arguments: promptVariables(words).map((variable) => ({
        name: variable,
        description: null,
        required: true,
      })),
      fill: (values) => Promise.resolve(fillVariables(words, values)),
    })),
    ...serverPrompts.map((one): PromptTemplate => ({
      name: one.name,
      title: one.prompt.title ?? one.prompt.name,
      description: one.prompt.description ?? one.prompt.title ?? one.prompt.name,
      arguments: one.prompt.arguments,
      fill: (values) => fill(one, values),
    })),
  ];
}

const firstLine = (template: string) => template.split('\n', 1)[0] ?? '';
