/**
 * The menus for the model of the next message and its reasoning effort.
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
        // A local server may have new models since the last request.
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
