/** Overlays of the app window that do not depend on the open session. */
import { useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { LazyDialog } from '../kit/overlays/LazyDialog';
import type { SettingsTarget } from '../settings/settingsPages';
import { LazySettingsDialog, LazyShortcutsDialog } from './dialogs/lazyPanels';

export type AppWindowOverlay = SettingsTarget | 'shortcuts';

type AppWindowOverlaysProps = {
  overlay: AppWindowOverlay;
  session: SessionId | null;
  onClose: () => void;
};

export function AppWindowOverlays({ overlay, session, onClose }: AppWindowOverlaysProps) {
  const text = useText();
  return overlay === 'shortcuts' ? (
    <LazyDialog title={text('finding.shortcuts')} size="wide" onClose={onClose}>
      <LazyShortcutsDialog onClose={onClose} />
    </LazyDialog>
  ) : (
    <LazyDialog title={text('app.settings')} size="full" onClose={onClose}>
      <LazySettingsDialog session={session} place={overlay} onClose={onClose} />
    </LazyDialog>
  );
}
