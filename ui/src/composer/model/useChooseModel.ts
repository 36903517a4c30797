/**
 * Choosing the model of the next message. Where it would not hold the conversation as it is, that
 * is said before anything changes.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ModelRef, SessionView } from '../../ipc/bindings';
import { useToast, useWithdrawToasts } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useModelName } from '../../state/models/useModelName';
import { modelToastId } from '../../state/text/toastIds';
import { useNavigateToModel } from '../../state/app/modelNavigation';
import { beginModelChoice, setPendingModelSwitch } from './modelSwitchStore';

export function useChooseModel({ session, model: before }: SessionView) {
  const text = useText();
  const nameOf = useModelName();
  const toast = useToast();
  const withdraw = useWithdrawToasts();
  const { commands } = useBackend();
  const attempt = useReportError(toast);
  const toModel = useNavigateToModel();
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
    // What was said of the model before.
    withdraw(modelToastId(session.id));
    if (consequence === 'fits') return;
    toast({
      words: text('composer.unknown', { model: nameOf(model) }),
      of: modelToastId(session.id),
      way: {
        words: text('context.setWindow'),
        go: () => {
          toModel(model);
        },
      },
      undo: () => {
        attempt(commands.setModel(session.id, before));
      },
    });
  };
  return (chosen: ModelRef) => {
    attempt(choose(chosen));
  };
}
