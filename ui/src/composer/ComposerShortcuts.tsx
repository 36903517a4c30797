/**
 * The keyboard shortcuts of the composer and its toolbar. They work wherever the focus is.
 */
import type { RefObject } from 'react';
import { useText } from '../i18n';
import { focusHome } from '../kit/a11y/restoreFocus';
import { useShortcut } from '../kit/keyboard/shortcuts';

/** A shortcut may also be chosen in the palette. While that is open, nothing behind it takes the focus. */
const afterPaletteCloses = (action: () => void) => {
  setTimeout(action);
};

type ComposerShortcutsProps = { toolbar: RefObject<HTMLElement | null>; onAttach: () => void };

export function ComposerShortcuts({ toolbar, onAttach }: ComposerShortcutsProps) {
  const text = useText();
  useShortcut('Mod+L', text('keyboard.toComposer'), () => {
    afterPaletteCloses(() => {
      focusHome();
    });
  });
  useShortcut('Mod+Shift+K', text('keyboard.models'), () => {
    afterPaletteCloses(() => {
      // The model menu is the first combobox of the toolbar.
      const models = toolbar.current?.querySelector<HTMLElement>('[role="combobox"]');
      models?.focus();
      models?.click();
    });
  });
  useShortcut('Mod+U', text('keyboard.attach'), onAttach);
  return null;
}
