/**
 * Prompts of MCP servers among the commands: what one comes to is put into the box, never sent by
 * itself.
 */
import { useState, type ReactNode } from 'react';
import type { SessionId } from '../ipc/bindings';
import type { Command } from '../state/commands';
import { useFillPrompt, usePromptCommands, type PromptCommand } from '../state/servers';
import type { Write } from './draft';
import { bringWords } from './incoming';
import { PromptDialog } from './PromptDialog';

type Prompts = { commands: readonly Command[]; dialog: ReactNode };

type PromptsProps = {
  session: SessionId;
  write: Write;
  onFailed: (thrown: unknown) => void;
};

export function usePrompts({ session, write, onFailed }: PromptsProps): Prompts {
  const prompts = usePromptCommands();
  const fill = useFillPrompt();
  const [asking, setAsking] = useState<PromptCommand | null>(null);
  const put = (one: PromptCommand, values: Record<string, string>) =>
    bringWords(session, `/${one.name}`, fill(one, values), (words) => {
      write((now) => ({ ...now, text: [now.text, words].filter(Boolean).join('\n') }));
    });
  const commands = prompts.map((one): Command => {
    const { name, prompt } = one;
    const [first, ...others] = prompt.arguments;
    const alone = first !== undefined && others.length === 0 ? first : null;
    return {
      name,
      words: prompt.description ?? prompt.title ?? prompt.name,
      argument: alone && { hint: alone.description ?? alone.name, required: false },
      run: async (argument) => {
        if (alone && argument !== null) await put(one, { [alone.name]: argument });
        else if (first === undefined) await put(one, {});
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
        put(asking, values).catch(onFailed);
      }}
    />
  );
  return { commands, dialog };
}
