/**
 * "Desktop": Skein's place besides its window. Not every desktop has all of it.
 */
import { useText } from '../../i18n';
import type { DesktopSettings } from '../../ipc/bindings';
import { Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { isMac } from '../../kit/layers/shortcuts';
import { useDesktopState } from '../../state/queries/desktopQueries';
import type { SettingsPageProps } from '../useSaveSettings';

export function DesktopPage({ settings, save }: SettingsPageProps) {
  const text = useText();
  const { data: state } = useDesktopState();
  const { trayIcon, closeToTray } = settings.desktop;
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
    </Stack>
  );
}
