/**
 * Submits the draft: a line that names a command runs it, anything else is sent as a message. A message
 * whose attachments are still being read is sent once they have been read.
 */
import { useText } from '../../i18n';
import type { SessionView } from '../../ipc/bindings';
import { focusHome } from '../../kit/a11y/restoreFocus';
import { useToast, useWithdrawToasts } from '../../kit/notifications/Toast';
import type { Command } from '../../state/app/command';
import { errorText, toAppError } from '../../state/text/errorText';
import { branchToastId } from '../../state/text/toastIds';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { deferSend, isForMessage, usePendingAttachments } from '../attachments/pendingAttachments';
import { parseCommand } from '../commands/useCommands';
import { isEmptyDraft } from '../draft/draftStore';
import type { useDraft } from '../draft/useDraft';

type SubmitDraftOptions = {
  view: SessionView;
  draftState: ReturnType<typeof useDraft>;
  commands: readonly Command[];
  onSent: () => void;
  onFailed: (thrown: unknown) => void;
};

export function useSubmitDraft(options: SubmitDraftOptions) {
  const { view, draftState, commands, onSent, onFailed } = options;
  const { draft, pendingMessage } = draftState;
  const sessionId = view.session.id;
  const text = useText();
  const toast = useToast();
  const withdraw = useWithdrawToasts();
  const actions = useSessionActions(sessionId);
  const pendingAttachments = usePendingAttachments(sessionId);

  /** Runs a command. If it fails, its line goes back into an empty draft, else a toast shows the line. */
  const runCommand = (command: Command, argument: string | null) => {
    const line = draft.text;
    draftState.setDraft((current) => ({ ...current, text: '' }));
    const done = draftState.save().then(() => command.run(argument));
    done.catch((thrown: unknown) => {
      if (draftState.restoreLine(line)) {
        onFailed(thrown);
        return;
      }
      const why = errorText(text, toAppError(thrown));
      toast({ words: text('commands.notDone', { line, why }), failed: true });
    });
  };

  const send = (from: 'draft' | 'pending') => {
    // The message continues the current branch: a toast that offers to go back to another is withdrawn.
    withdraw(branchToastId(view.session.currentThread));
    draftState.send(from, actions.send).catch(onFailed);
  };

  const sendAfterReading = () => {
    // One message at a time waits for its attachments.
    if (pendingMessage) return;
    onSent();
    draftState.holdForSend();
    deferSend(sessionId, {
      send: () => {
        send('pending');
      },
      returnToDraft: draftState.restorePending,
    });
  };

  const submit = () => {
    // The user goes on writing in the composer.
    focusHome();
    const invocation = parseCommand(draft.text, commands);
    if (invocation) runCommand(invocation.command, invocation.argument);
    else if (pendingAttachments.some(isForMessage)) sendAfterReading();
    else if (!isEmptyDraft(draft)) {
      onSent();
      send('draft');
    }
  };

  return { submit, runCommand };
}
