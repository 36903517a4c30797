/**
 * "Appearance and language", and the key that sends.
 */
import { useText } from '../i18n';
import type { Appearance, SendKey, Theme } from '../ipc/bindings';
import { RadioGroup } from '../kit/RadioGroup';
import { Select } from '../kit/Select';
import { Slider } from '../kit/Slider';
import { Stack } from '../kit/Stack';
import type { PageProps } from './saving';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const languages = ['system', 'english', 'chinese'] as const;
const sendKeys: readonly SendKey[] = ['enter', 'modEnter'];

export function AppearancePage({ settings, save }: PageProps) {
  const text = useText();
  const { appearance, keyboard } = settings;
  const change = (part: Partial<Appearance>) => {
    save((old) => ({ ...old, appearance: { ...old.appearance, ...part } }));
  };
  return (
    <Stack>
      <RadioGroup
        label={text('settings.theme')}
        value={appearance.theme}
        choices={themes.map((value) => ({ value, label: text(`settings.theme_${value}`) }))}
        onChange={(theme) => {
          change({ theme });
        }}
      />
      <Select
        label={text('settings.language')}
        value={appearance.language ?? 'system'}
        options={languages.map((value) => ({ value, label: text(`settings.language_${value}`) }))}
        onChange={(language) => {
          change({ language: language === 'system' ? null : language });
        }}
      />
      <Slider
        label={text('settings.zoom')}
        min={50}
        max={200}
        step={10}
        value={appearance.zoom}
        written={text('settings.percent', { percent: appearance.zoom })}
        onChange={(zoom) => {
          change({ zoom });
        }}
      />
      <RadioGroup
        label={text('settings.send')}
        value={keyboard.send}
        choices={sendKeys.map((value) => ({
          value,
          label: text(`settings.send_${value}`),
          hint: text(`settings.send_${value}Hint`),
        }))}
        onChange={(send) => {
          save((old) => ({ ...old, keyboard: { ...old.keyboard, send } }));
        }}
      />
    </Stack>
  );
}
