/**
 * The model of new sessions. Hidden while the demo is the only model.
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
      // Without a choice, new sessions use the demo.
      value={defaultModel ?? models.find(({ model }) => isDemoModel(model))?.model ?? null}
      onChange={(chosen) => {
        save((old) => ({ ...old, defaultModel: chosen }));
      }}
    />
  );
}
