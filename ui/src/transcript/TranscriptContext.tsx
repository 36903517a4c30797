/**
 * The shared state of a thread's rows: the open disclosures, and the actions for images and code in their
 * texts.
 */
import { use, useCallback, useMemo, type ReactNode } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { useToast } from '../kit/notifications/Toast';
import { MarkdownActionsProvider, useMarkdownActions } from '../markdown/render/markdownActions';
import { errorText, toAppError } from '../state/text/errorText';
import { DisclosureStateContext, type DisclosureState } from './state/disclosureState';
import { ViewerContext } from './state/viewerContext';

export function TranscriptContext({
  disclosures: folds,
  children,
}: {
  disclosures: DisclosureState;
  children: ReactNode;
}) {
  const open = use(ViewerContext);
  const actions = useMarkdownActions();
  const saveCode = useSaveCode();
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
      <DisclosureStateContext value={folds}>{children}</DisclosureStateContext>
    </MarkdownActionsProvider>
  );
}

/** A stable object: every row depends on it. */
function useSaveCode() {
  const text = useText();
  const toast = useToast();
  const { commands, desktop } = useBackend();
  return useCallback(
    (code: string, name: string) => {
      const save = async () => {
        const path = await desktop.pickTarget(text('attach.save', { name }), name, []);
        if (path === null) return;
        // Rust writes the file: the code is stored as a blob first.
        const { blob } = await commands.attachText('code.txt', code);
        await commands.saveAttachment(blob, path);
        toast({ words: text('attach.saved', { path }) });
      };
      save().catch((thrown: unknown) => {
        toast({ words: errorText(text, toAppError(thrown)), failed: true });
      });
    },
    [commands, desktop, text, toast],
  );
}
