/**
 * The model of the next message.
 */
import { useText } from '../i18n';
import type { SessionView } from '../ipc/bindings';
import { Select } from '../kit/Select';
import { useProviderName } from '../state/demo';
import { keyOf } from '../state/model';
import { useModels } from '../state/reading';
import { useChooseModel } from './choosing';
import { SwitchDialog } from './SwitchDialog';
import { useWeighed } from './weighing';

export function ModelMenu({ view }: { view: SessionView }) {
  const text = useText();
  const providerName = useProviderName();
  const { data: models = [] } = useModels();
  const choose = useChooseModel(view);
  const weighed = useWeighed(view.session.id);
  return (
    <>
      <Select
        label={text('composer.model')}
        labelHidden
        quiet
        value={keyOf(view.model)}
        placeholder={view.model.model}
        options={models.map((known) => ({
          value: keyOf(known.model),
          label: known.name,
          group: providerName(known),
        }))}
        onChange={(key) => {
          const chosen = models.find(({ model }) => keyOf(model) === key);
          if (chosen) choose(chosen.model);
        }}
      />
      {weighed && <SwitchDialog before={view.model} weighed={weighed} />}
    </>
  );
}
