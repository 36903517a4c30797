/**
 * The commands of prompts, and `/save-prompt`. A prompt's text goes into the draft and is never sent by
 * itself.
 */
import { useState, type ReactNode } from 'react';
import { useText } from '../../i18n';
import type { SessionId } from '../../ipc/bindings';
import type { Command } from '../../state/app/command';
import type { UpdateDraft } from '../draft/useDraft';
import { readTextIntoDraft } from '../attachments/pendingAttachments';
import { usePromptTemplates, type PromptTemplate } from './usePromptTemplates';
import { PromptDialog } from './PromptDialog';
import { SavePromptDialog } from './SavePromptDialog';

type PromptCommands = { commands: readonly Command[]; dialog: ReactNode };

type UsePromptsOptions = {
  session: SessionId;
  /** Skein's own commands. */
  own: readonly Command[];
  updateDraft: UpdateDraft;
  onFailed: (thrown: unknown) => void;
};

export function usePrompts(options: UsePromptsOptions): PromptCommands {
  const { session, own, updateDraft, onFailed } = options;
  const text = useText();
  const saveName = 'save-prompt';
  const prompts = usePromptTemplates([...own.map(({ name }) => name), saveName]);
  /** The prompt whose arguments the dialog asks for. */
  const [open, setOpen] = useState<PromptTemplate | null>(null);
  /** The text that the dialog saves as a prompt. */
  const [saving, setSaving] = useState<string | null>(null);
  const insert = (content: string) => {
    updateDraft((draft) => ({
      ...draft,
      text: [draft.text, content].filter(Boolean).join('\n'),
    }));
  };
  const insertFilled = (prompt: PromptTemplate, values: Record<string, string>) =>
    readTextIntoDraft(session, `/${prompt.name}`, prompt.fill(values), insert);
  const promptCommands = prompts.map((prompt): Command => {
    const { name, description } = prompt;
    const [first, ...others] = prompt.arguments;
    const only = first !== undefined && others.length === 0 ? first : null;
    return {
      name,
      description,
      argument: only && { hint: only.description ?? only.name, required: false },
      run: async (argument) => {
        if (only && argument !== null) await insertFilled(prompt, { [only.name]: argument });
        else if (first === undefined) await insertFilled(prompt, {});
        else setOpen(prompt);
      },
    };
  });
  const saveCommand: Command = {
    name: saveName,
    description: text('commands.savePrompt'),
    argument: { hint: text('commands.savePromptWords'), required: false },
    run: (content) => {
      setSaving(content ?? '');
      // The draft keeps the text until it is saved as a prompt.
      if (content !== null) insert(content);
      return Promise.resolve();
    },
  };
  const dialog = (
    <>
      {open && (
        <PromptDialog
          prompt={open}
          onClose={() => {
            setOpen(null);
          }}
          onFilled={(values) => {
            setOpen(null);
            insertFilled(open, values).catch(onFailed);
          }}
        />
      )}
      {saving !== null && (
        <SavePromptDialog
          initialText={saving}
          onSaved={() => {
            setSaving(null);
            updateDraft((draft) => (draft.text === saving ? { ...draft, text: '' } : draft));
          }}
          onClose={() => {
            setSaving(null);
          }}
        />
      )}
    </>
  );
  return { commands: [...promptCommands, saveCommand], dialog };
}
