/**
 * The model that new sessions begin with. Until there is another one than the demo, there is nothing to
 * choose.
 */
import { useText } from '../../i18n';
import { isDemoModel } from '../../state/models/demoModel';
import { useModels } from '../../state/queries/queries';
import { ModelSelect } from '../fields/ModelSelect';
import type { SettingsPageProps } from '../useSaveSettings';

export function DefaultModelSetting({ settings: { defaultModel }, save }: SettingsPageProps) {
  const text = useText();
  const { data: models = [] } = useModels();
  if (defaultModel === null && models.every(({ model }) => isDemoModel(model))) return null;
  return (
    <ModelSelect
      label={text('settings.newSessionsModel')}
      hint={text('settings.newSessionsModelHint')}
      // Where none was chosen, the demo answers.
      value={defaultModel ?? models.find(({ model }) => isDemoModel(model))?.model ?? null}
      onChange={(chosen) => {
        save((old) => ({ ...old, defaultModel: chosen }));
      }}
    />
  );
}
