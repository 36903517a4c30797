/**
 * "Keyboard": the key that sends, and all shortcuts.
 */
import { useText } from '../../i18n';
import type { SendKey } from '../../ipc/bindings';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import { modifierName } from '../../kit/keyboard/shortcuts';
import { Stack } from '../../kit/display/Stack';
import { ShortcutList } from '../about/ShortcutList';
import type { SettingsPageProps } from '../useSaveSettings';

export function KeyboardPage({ settings, save }: SettingsPageProps) {
  const text = useText();
  const { send } = settings.keyboard;
  return (
    <Stack>
      <RadioGroup<SendKey>
        label={text('keyboard.send')}
        value={send}
        choices={[
          { value: 'enter', label: text('keyboard.enter'), hint: text('keyboard.enterHint') },
          {
            value: 'modEnter',
            label: text('keyboard.modEnter', { modifier: modifierName }),
            hint: text('keyboard.modEnterHint'),
          },
        ]}
        onChange={(key) => {
          save((old) => ({ ...old, keyboard: { ...old.keyboard, send: key } }));
        }}
      />
      <section>
        <h3>{text('keyboard.shortcuts')}</h3>
        <ShortcutList send={send} />
      </section>
    </Stack>
  );
}
