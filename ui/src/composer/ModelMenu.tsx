/**
 * The model of the next message, and how hard it is to think.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionView } from '../ipc/bindings';
import { Select } from '../kit/Select';
import { modelKey } from '../state/model';
import { useModelOptions } from '../state/modelOptions';
import { useChooseModel } from './choosing';
import { ReasoningEffortMenu } from './ThinkingMenu';

export function ModelMenu({ view }: { view: SessionView }) {
  const text = useText();
  const { commands } = useBackend();
  const { options, first, modelOf } = useModelOptions(view.model);
  const choose = useChooseModel(view);
  return (
    <>
      <Select
        label={text('composer.model')}
        labelHidden
        quiet
        value={modelKey(view.model)}
        placeholder={view.model.model}
        options={options}
        first={first}
        // Of a server on this machine, what was put there since it was last asked.
        onOpen={() => void commands.renewModels().catch(() => undefined)}
        onChange={(key) => {
          const chosen = modelOf(key);
          if (chosen) choose(chosen);
        }}
      />
      <ReasoningEffortMenu view={view} />
    </>
  );
}
