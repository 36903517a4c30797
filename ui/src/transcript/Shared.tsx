/**
 * What the rows of a thread share: which of their lines are open, how a picture of their texts is opened,
 * and how code in them is saved.
 */
import { use, useCallback, useMemo, type ReactNode } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { useToast } from '../kit/Toast';
import { MarkdownActionsProvider, useMarkdownActions } from '../markdown/actions';
import { asFault } from '../state/actions';
import { faultWords } from '../state/faults';
import { FoldsContext, type Folds } from './folds';
import { OpenContext } from './opened';

export function Shared({ folds, children }: { folds: Folds; children: ReactNode }) {
  const open = use(OpenContext);
  const actions = useMarkdownActions();
  const saveCode = useSavingCode();
  const shared = useMemo(
    () => ({
      ...actions,
      saveCode,
      openPicture: (address: string, name: string) => {
        open({ type: 'picture', address, name });
      },
    }),
    [actions, open, saveCode],
  );
  return (
    <MarkdownActionsProvider value={shared}>
      <FoldsContext value={folds}>{children}</FoldsContext>
    </MarkdownActionsProvider>
  );
}

/** The same for as long as it can be: every row has it. */
function useSavingCode() {
  const text = useText();
  const toast = useToast();
  const { commands, desktop } = useBackend();
  return useCallback(
    (code: string, name: string) => {
      const save = async () => {
        const path = await desktop.pickTarget(text('attach.save', { name }), name, []);
        if (path === null) return;
        // The page writes no files: it has what it holds kept, and what is kept written.
        const { blob } = await commands.attachText('code.txt', code);
        await commands.saveAttachment(blob, path);
        toast({ words: text('attach.saved', { path }) });
      };
      save().catch((thrown: unknown) => {
        toast({ words: faultWords(text, asFault(thrown)), failed: true });
      });
    },
    [commands, desktop, text, toast],
  );
}
