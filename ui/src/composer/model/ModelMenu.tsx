/**
 * The model of the next message, and how hard it is to think.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionView } from '../../ipc/bindings';
import { Select } from '../../kit/fields/Select';
import { modelKey } from '../../state/models/modelRef';
import { useModelOptions } from '../../state/models/useModelOptions';
import { useChooseModel } from './useChooseModel';
import { ReasoningEffortMenu } from './ReasoningEffortMenu';

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
