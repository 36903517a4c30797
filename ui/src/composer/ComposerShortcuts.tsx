/**
 * The keys that lead to the box and to what stands at its edge, from wherever the person is.
 */
import type { RefObject } from 'react';
import { useText } from '../i18n';
import { focusHome } from '../kit/a11y/restoreFocus';
import { useShortcut } from '../kit/layers/shortcuts';

/** Chosen in the palette, it is done once that has closed: before, nothing behind it takes the focus. */
const afterPaletteCloses = (act: () => void) => {
  setTimeout(act);
};

type ComposerShortcutsProps = { edge: RefObject<HTMLElement | null>; onAttach: () => void };

export function ComposerShortcuts({ edge, onAttach }: ComposerShortcutsProps) {
  const text = useText();
  useShortcut('Mod+L', text('keyboard.toBox'), () => {
    afterPaletteCloses(() => {
      focusHome();
    });
  });
  useShortcut('Mod+Shift+K', text('keyboard.models'), () => {
    afterPaletteCloses(() => {
      // The first that something is chosen from: the menu itself is not known here.
      const models = edge.current?.querySelector<HTMLElement>('[role="combobox"]');
      models?.focus();
      models?.click();
    });
  });
  useShortcut('Mod+U', text('keyboard.attach'), onAttach);
  return null;
}
