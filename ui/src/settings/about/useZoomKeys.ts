/**
 * The zoom of the app window and its shortcuts, as in browsers.
 */
import { useText } from '../../i18n';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import { useSaveSettings } from '../useSaveSettings';

/** In percent. A value outside of the range, from the settings file, stays until the user changes it. */
export const zoomRange = { min: 50, max: 200, step: 10 } as const;

export function useZoomKeys() {
  const text = useText();
  const save = useSaveSettings();
  const { min, max, step } = zoomRange;
  const zoom = (next: (now: number) => number) => {
    save((old) => ({
      ...old,
      appearance: { ...old.appearance, zoom: next(old.appearance.zoom) },
    }));
  };
  useShortcut(
    'Mod++',
    text('keyboard.zoomIn'),
    () => {
      zoom((now) => Math.max(now, Math.min(max, now + step)));
    },
    'everywhere',
  );
  useShortcut(
    'Mod+-',
    text('keyboard.zoomOut'),
    () => {
      zoom((now) => Math.min(now, Math.max(min, now - step)));
    },
    'everywhere',
  );
  useShortcut(
    'Mod+0',
    text('keyboard.zoomReset'),
    () => {
      zoom(() => 100);
    },
    'everywhere',
  );
}
