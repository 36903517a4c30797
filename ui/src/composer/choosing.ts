/**
 * Choosing the model of the next message. Where it would not hold the conversation, that is said
 * with the way back.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ModelRef, SessionView } from '../ipc/bindings';
import { useToast } from '../kit/Toast';
import { asFault } from '../state/actions';
import { faultWords } from '../state/faults';

export function useChooseModel({ session, model: before }: SessionView) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const choose = async (chosen: ModelRef) => {
    const preview = await commands.previewModel(session.id, chosen);
    await commands.setModel(session.id, chosen);
    if (preview.consequence === 'fits') return;
    toast({
      words: text(`composer.${preview.consequence}`, { model: chosen.model }),
      undo: () => void commands.setModel(session.id, before),
    });
  };
  return (chosen: ModelRef) => {
    choose(chosen).catch((thrown: unknown) => {
      toast({ words: faultWords(text, asFault(thrown)), failed: true });
    });
  };
}
