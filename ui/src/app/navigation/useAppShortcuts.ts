import { useText } from '../../i18n';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import { useZoomKeys } from '../../settings/about/useZoomKeys';
import type { PanelState } from '../layout/usePanel';
import type { AppNavigation } from './appNavigation';

/** The shortcuts that work whichever session is open. */
export function useAppShortcuts(navigation: AppNavigation, sidebar: PanelState) {
  const text = useText();
  useShortcut('Mod+N', text('app.newSession'), navigation.toNewSession);
  useShortcut('Mod+B', text('app.toggleSidebar'), () => {
    sidebar.setOpen(!sidebar.open);
  });
  useShortcut('Mod+,', text('app.openSettings'), () => {
    navigation.toSettings('context');
  });
  useShortcut('Mod+/', text('finding.shortcuts'), navigation.toShortcuts);
  useShortcut('Mod+Shift+F', text('finding.searchAll'), () => {
    sidebar.setOpen(true);
    // The search field exists after the next render, and a menu that asked for it gives up the focus then.
    setTimeout(() => {
      document.querySelector<HTMLElement>('.Sidebar input[type="search"]')?.focus();
    });
  });
  useZoomKeys();
}
