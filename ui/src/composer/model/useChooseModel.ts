/**
 * Chooses the model of the next message. If the conversation does not fit its context window, a dialog asks
 * first (ModelSwitchDialog.tsx); if it does, a toast says what reading it once costs.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ModelRef, SessionView } from '../../ipc/bindings';
import { useToast, useWithdrawToasts } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useModelName } from '../../state/models/useModelName';
import { useReadingCostText } from '../../state/text/useReadingCostText';
import { modelToastId } from '../../state/text/toastIds';
import { useNavigateToModel } from '../../state/app/modelNavigation';
import { beginModelChoice, setPendingModelSwitch } from './modelSwitchStore';

export function useChooseModel({ session, model: previous }: SessionView) {
  const text = useText();
  const nameOf = useModelName();
  const toast = useToast();
  const withdraw = useWithdrawToasts();
  const { commands } = useBackend();
  const reportError = useReportError(toast);
  const toModel = useNavigateToModel();
  const readingText = useReadingCostText();
  const choose = async (model: ModelRef) => {
    const isLatest = beginModelChoice(session.id);
    const preview = await commands.previewModel(session.id, model);
    if (!isLatest()) return;
    const { consequence } = preview;
    if (consequence !== 'fits' && consequence !== 'unknown') {
      setPendingModelSwitch({ session: session.id, model, preview, consequence });
      return;
    }
    await commands.setModel(session.id, model);
    // A toast about the previous choice.
    withdraw(modelToastId(session.id));
    const undo = () => {
      reportError(commands.setModel(session.id, previous));
    };
    const reading = readingText(model, preview);
    if (consequence === 'fits') {
      if (reading !== null) toast({ words: reading, of: modelToastId(session.id), undo });
      return;
    }
    toast({
      words: text('composer.unknown', { model: nameOf(model) }),
      of: modelToastId(session.id),
      way: {
        words: text('context.setWindow'),
        go: () => {
          toModel(model);
        },
      },
      undo,
    });
  };
  return (chosen: ModelRef) => {
    reportError(choose(chosen));
  };
}
