/**
 * "Desktop": Skein's place besides its window. Not every desktop has all of it.
 */
import { useText, type Translate } from '../../i18n';
import type { DesktopSettings, ShortcutKeys, ShortcutStatus } from '../../ipc/bindings';
import { Stack } from '../../kit/display/Stack';
import { Select } from '../../kit/fields/Select';
import { Switch } from '../../kit/fields/Switch';
import { isMac, modifierName } from '../../kit/keyboard/shortcuts';
import { useDesktopState } from '../../state/queries/desktopQueries';
import type { SettingsPageProps } from '../useSaveSettings';

const shortcutKeys = ['off', 'modShiftSpace', 'modAltSpace', 'modShiftK', 'altShiftSpace'] as const;

export function DesktopPage({ settings, save }: SettingsPageProps) {
  const text = useText();
  const { data: state } = useDesktopState();
  const { trayIcon, closeToTray, quickAskKeys, startAtLogin, taskbar } = settings.desktop;
  const change = (part: Partial<DesktopSettings>) => {
    save((old) => ({ ...old, desktop: { ...old.desktop, ...part } }));
  };
  const hasNoTray = trayIcon && state?.trayVisible === false;
  return (
    <Stack>
      <Switch
        label={text('desktop.trayIcon')}
        hint={text(hasNoTray ? 'desktop.noTray' : 'desktop.trayIconHint')}
        checked={trayIcon}
        onChange={(wanted) => {
          change({ trayIcon: wanted });
        }}
      />
      {/* On macOS a closed window never quits the program. */}
      {!isMac && (
        <Switch
          label={text('desktop.closeToTray')}
          hint={text('desktop.closeToTrayHint')}
          checked={closeToTray}
          disabled={!trayIcon}
          onChange={(wanted) => {
            change({ closeToTray: wanted });
          }}
        />
      )}
      <Switch
        label={text('desktop.startAtLogin')}
        hint={text(
          state?.loginStartFailed ? 'desktop.startAtLoginFailed' : 'desktop.startAtLoginHint',
        )}
        checked={startAtLogin}
        onChange={(wanted) => {
          change({ startAtLogin: wanted });
        }}
      />
      <Switch
        label={text('desktop.taskbar')}
        hint={text('desktop.taskbarHint')}
        checked={taskbar}
        onChange={(wanted) => {
          change({ taskbar: wanted });
        }}
      />
      <Select
        label={text('desktop.quickAskKeys')}
        hint={shortcutHint(text, state?.shortcut)}
        value={quickAskKeys ?? 'off'}
        options={shortcutKeys.map((value) => ({
          value,
          label: keysLabel(text, value),
        }))}
        onChange={(keys) => {
          change({ quickAskKeys: keys === 'off' ? null : keys });
        }}
      />
      <p className="Settings-quiet">{text('desktop.otherWays')}</p>
    </Stack>
  );
}

function keysLabel(text: Translate, keys: ShortcutKeys | 'off'): string {
  const space = text('desktop.keySpace');
  switch (keys) {
    case 'off':
      return text('desktop.keysNone');
    case 'modShiftSpace':
      return `${modifierName}+Shift+${space}`;
    case 'modAltSpace':
      return `${modifierName}+Alt+${space}`;
    case 'modShiftK':
      return `${modifierName}+Shift+K`;
    case 'altShiftSpace':
      return `Alt+Shift+${space}`;
  }
}

/** The state of the shortcut on this desktop. */
function shortcutHint(text: Translate, status: ShortcutStatus | undefined): string {
  switch (status?.type) {
    case 'taken':
      return text('desktop.keysTaken');
    case 'unavailable':
      return text('desktop.keysUnavailable');
    case 'registered':
      if (status.keys !== null) return text('desktop.keysChosen', { keys: status.keys });
      return text('desktop.quickAskKeysHint');
    case 'off':
    case undefined:
      return text('desktop.quickAskKeysHint');
  }
}
