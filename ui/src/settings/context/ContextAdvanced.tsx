/**
 * The rarely changed numbers of "Context management".
 */
import { useText } from '../../i18n';
import type { Policy } from '../../ipc/bindings';
import { Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { UrlField } from '../fields/UrlField';
import { useAssumedWindowNote } from './assumedWindow';
import { NumberField } from '../fields/NumberField';
import type { SettingsPageProps } from '../useSaveSettings';
import { ToolCleaningSetting } from './ToolCleaningSetting';

const numbers = [
  ['outputReserve', 'settings.outputReserve', 'settings.outputReserveHint', { min: 0 }],
  ['keepRounds', 'settings.keepRounds', 'settings.keepRoundsHint', { min: 0, max: 20 }],
  ['keepToolRounds', 'settings.keepToolRounds', 'settings.keepToolRoundsHint', { min: 0, max: 20 }],
  ['archiveAt', 'settings.archiveAt', 'settings.archiveAtHint', { min: 50, max: 95 }],
] as const;

/** The settings that are shares of the context window. */
const windowShares: readonly (typeof numbers)[number][0][] = ['outputReserve', 'archiveAt'];

export function ContextAdvanced({ settings, save }: SettingsPageProps) {
  const text = useText();
  const assumed = useAssumedWindowNote();
  const { context } = settings;
  const change = (part: Partial<Policy>) => {
    save((old) => ({ ...old, context: { ...old.context, ...part } }));
  };
  return (
    <Stack>
      <NumberField
        label={text('upperBound.setting')}
        hint={text(
          settings.showCosts ? 'upperBound.settingHint' : 'upperBound.settingHintCostless',
        )}
        value={context.compactionBound}
        min={1_000}
        optional
        onSave={(compactionBound) => {
          change({ compactionBound });
        }}
      />
      {numbers.map(([key, label, hint, range]) => (
        <NumberField
          key={key}
          label={text(label)}
          hint={[text(hint), ...(windowShares.includes(key) ? assumed : [])].join(' ')}
          value={context[key]}
          {...range}
          onSave={(value) => {
            if (value !== null) change({ [key]: value });
          }}
        />
      ))}
      <ToolCleaningSetting
        cleaning={context.toolCleaning}
        showCosts={settings.showCosts}
        onChange={(toolCleaning) => {
          change({ toolCleaning });
        }}
      />
      <UrlField
        label={text('settings.organisation')}
        hint={text('settings.organisationHint')}
        value={settings.organisationUrl}
        onSave={(organisationUrl) => {
          save((old) => ({ ...old, organisationUrl }));
        }}
      />
      <Switch
        label={text('settings.recallPassages')}
        hint={text('settings.recallPassagesHint')}
        checked={settings.recallPassages}
        onChange={(recallPassages) => {
          save((old) => ({ ...old, recallPassages }));
        }}
      />
    </Stack>
  );
}
