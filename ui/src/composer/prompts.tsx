/**
 * Prompts of MCP servers among the commands: what one comes to is put into the box, never sent by
 * itself.
 */
import { useState, type ReactNode } from 'react';
import type { Command } from '../state/commands';
import { useFillPrompt, usePromptCommands, type PromptCommand } from '../state/servers';
import { PromptDialog } from './PromptDialog';

type Prompts = { commands: readonly Command[]; dialog: ReactNode };

type PromptsProps = { onFilled: (words: string) => void; onFailed: (thrown: unknown) => void };

export function usePrompts({ onFilled, onFailed }: PromptsProps): Prompts {
  const prompts = usePromptCommands();
  const fill = useFillPrompt();
  const [asking, setAsking] = useState<PromptCommand | null>(null);
  const commands = prompts.map((one): Command => {
    const { name, prompt } = one;
    const [first, ...others] = prompt.arguments;
    const alone = first !== undefined && others.length === 0 ? first : null;
    return {
      name,
      words: prompt.description ?? prompt.title ?? prompt.name,
      argument: alone && { hint: alone.description ?? alone.name, required: false },
      run: async (argument) => {
        if (alone && argument !== null) onFilled(await fill(one, { [alone.name]: argument }));
        else if (first === undefined) onFilled(await fill(one, {}));
        else setAsking(one);
      },
    };
  });
  const dialog = asking && (
    <PromptDialog
      command={asking}
      onClose={() => {
        setAsking(null);
      }}
      onFilled={(values) => {
        setAsking(null);
        fill(asking, values).then(onFilled, onFailed);
      }}
    />
  );
  return { commands, dialog };
}
