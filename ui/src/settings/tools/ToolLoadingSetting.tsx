/**
 * When the tools of MCP servers are deferred: by their size, always or never.
 */
import { useText } from '../../i18n';
import type { ToolLoading } from '../../ipc/bindings';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import type { SettingsPageProps } from '../useSaveSettings';

const choices: readonly ToolLoading[] = ['automatic', 'onDemand', 'declared'];

export function ToolLoadingSetting({ settings, save }: SettingsPageProps) {
  const text = useText();
  return (
    <RadioGroup
      label={text('toolSettings.loading')}
      value={settings.tools.loading}
      choices={choices.map((value) => ({
        value,
        label: text(`toolSettings.loading_${value}`),
        hint: text(`toolSettings.loading_${value}Hint`),
      }))}
      onChange={(loading) => {
        save((old) => ({ ...old, tools: { ...old.tools, loading } }));
      }}
    />
  );
}
