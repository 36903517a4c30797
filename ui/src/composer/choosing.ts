/**
 * Choosing the model of the next message. Where it would not hold the conversation as it is, that
 * is said before anything changes.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ModelRef, SessionView } from '../ipc/bindings';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { useToModel } from '../state/toModel';
import { weigh } from './weighing';

export function useChooseModel({ session, model: before }: SessionView) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const attempt = useAttempting(toast);
  const toModel = useToModel();
  const choose = async (model: ModelRef) => {
    const preview = await commands.previewModel(session.id, model);
    const { consequence } = preview;
    if (consequence !== 'fits' && consequence !== 'unknown') {
      weigh({ session: session.id, model, preview, consequence });
      return;
    }
    await commands.setModel(session.id, model);
    if (consequence === 'fits') return;
    toast({
      words: text('composer.unknown', { model: model.model }),
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
