/**
 * "Appearance and language".
 */
import { useText } from '../../i18n';
import type { Appearance, ReplySpeech, Theme } from '../../ipc/bindings';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import { Select } from '../../kit/fields/Select';
import { isMac } from '../../kit/keyboard/shortcuts';
import { Slider } from '../../kit/fields/Slider';
import { Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import type { SettingsPageProps } from '../useSaveSettings';
import { zoomRange } from '../about/useZoomKeys';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const replySpeeches: readonly ReplySpeech[] = ['whole', 'beginning', 'ending'];
const languages = ['system', 'english', 'chinese'] as const;

export function AppearancePage({ settings, save }: SettingsPageProps) {
  const text = useText();
  const { appearance } = settings;
  const change = (part: Partial<Appearance>) => {
    save((old) => ({ ...old, appearance: { ...old.appearance, ...part } }));
  };
  return (
    <Stack>
      <RadioGroup
        label={text('appearance.theme')}
        value={appearance.theme}
        choices={themes.map((value) => ({ value, label: text(`appearance.theme_${value}`) }))}
        onChange={(theme) => {
          change({ theme });
        }}
      />
      <Select
        label={text('appearance.language')}
        value={appearance.language ?? 'system'}
        options={languages.map((value) => ({ value, label: text(`appearance.language_${value}`) }))}
        onChange={(language) => {
          change({ language: language === 'system' ? null : language });
        }}
      />
      <Slider
        label={text('appearance.zoom')}
        {...zoomRange}
        value={appearance.zoom}
        written={(percent) => text('settings.percent', { percent })}
        onChange={(zoom) => {
          change({ zoom });
        }}
      />
      <Switch
        label={text('appearance.notices')}
        hint={text('appearance.noticesHint')}
        checked={appearance.notices === 'whenAway'}
        onChange={(wanted) => {
          change({ notices: wanted ? 'whenAway' : 'never' });
        }}
      />
      <Select
        label={text('appearance.replySpeech')}
        hint={text('appearance.replySpeechHint')}
        value={appearance.replySpeech}
        options={replySpeeches.map((value) => ({
          value,
          label: text(`appearance.replySpeech_${value}`),
        }))}
        onChange={(replySpeech) => {
          change({ replySpeech });
        }}
      />
      {!isMac && (
        <Switch
          label={text('appearance.spelling')}
          hint={text('appearance.spellingHint')}
          checked={appearance.spelling === 'checked'}
          onChange={(wanted) => {
            change({ spelling: wanted ? 'checked' : 'unchecked' });
          }}
        />
      )}
    </Stack>
  );
}
