/**
 * Prompts among the commands: what one comes to is put into the box, never sent by itself. And the command
 * that keeps what is written in the box as one.
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
  write: UpdateDraft;
  onFailed: (thrown: unknown) => void;
};

export function usePrompts({ session, own, write, onFailed }: UsePromptsOptions): PromptCommands {
  const text = useText();
  const save = 'save-prompt';
  const prompts = usePromptTemplates([...own.map(({ name }) => name), save]);
  const [asking, setAsking] = useState<PromptTemplate | null>(null);
  const [saving, setSaving] = useState<string | null>(null);
  const put = (words: string) => {
    write((now) => ({ ...now, text: [now.text, words].filter(Boolean).join('\n') }));
  };
  const bring = (one: PromptTemplate, values: Record<string, string>) =>
    readTextIntoDraft(session, `/${one.name}`, one.fill(values), put);
  const commands = prompts.map((one): Command => {
    const { name, words, asks } = one;
    const [first, ...others] = asks;
    const alone = first !== undefined && others.length === 0 ? first : null;
    return {
      name,
      words,
      argument: alone && { hint: alone.description ?? alone.name, required: false },
      run: async (argument) => {
        if (alone && argument !== null) await bring(one, { [alone.name]: argument });
        else if (first === undefined) await bring(one, {});
        else setAsking(one);
      },
    };
  });
  const keep: Command = {
    name: save,
    words: text('commands.savePrompt'),
    argument: { hint: text('commands.savePromptWords'), required: false },
    run: (words) => {
      setSaving(words ?? '');
      // Until they are a prompt, the box keeps them.
      if (words !== null) put(words);
      return Promise.resolve();
    },
  };
  const dialog = (
    <>
      {asking && (
        <PromptDialog
          prompt={asking}
          onClose={() => {
            setAsking(null);
          }}
          onFilled={(values) => {
            setAsking(null);
            bring(asking, values).catch(onFailed);
          }}
        />
      )}
      {saving !== null && (
        <SavePromptDialog
          words={saving}
          onSaved={() => {
            setSaving(null);
            write((now) => (now.text === saving ? { ...now, text: '' } : now));
          }}
          onClose={() => {
            setSaving(null);
          }}
        />
      )}
    </>
  );
  return { commands: [...commands, keep], dialog };
}
