/**
 * The model of the next message. Where another would not hold the conversation, that is said before
 * it is chosen.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ModelRef, SessionView } from '../ipc/bindings';
import { Select } from '../kit/Select';
import { useToast } from '../kit/Toast';
import { useModels } from '../state/reading';

const keyOf = ({ provider, model }: ModelRef) => `${provider}/${model}`;

export function ModelMenu({ view }: { view: SessionView }) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const { data: models = [] } = useModels();
  const before = view.model;
  const choose = async (key: string) => {
    const chosen = models.find(({ model }) => keyOf(model) === key)?.model;
    if (!chosen) return;
    const preview = await commands.previewModel(view.session.id, chosen);
    await commands.setModel(view.session.id, chosen);
    if (preview.consequence !== 'fits') {
      toast({
        words: text(`composer.${preview.consequence}`, { model: chosen.model }),
        undo: () => void commands.setModel(view.session.id, before),
      });
    }
  };
  return (
    <Select
      label={text('composer.model')}
      labelHidden
      quiet
      value={keyOf(before)}
      options={models.map(({ model, name, providerName }) => ({
        value: keyOf(model),
        label: name,
        group: providerName === 'demo' ? text('composer.demo') : providerName,
      }))}
      onChange={(key) => void choose(key)}
    />
  );
}
