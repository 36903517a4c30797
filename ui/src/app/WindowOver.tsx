/**
 * What opens over the window, whatever session is open.
 */
import { useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { Opening } from '../kit/Opening';
import type { SettingsPlace } from '../settings/pages';
import { SettingsDialog, ShortcutsDialog } from './opening';

export type Over = SettingsPlace | 'shortcuts';

type WindowOverProps = { dialog: Over; session: SessionId | null; onClose: () => void };

export function WindowOver({ dialog, session, onClose }: WindowOverProps) {
  const text = useText();
  return dialog === 'shortcuts' ? (
    <Opening title={text('finding.shortcuts')} size="wide" onClose={onClose}>
      <ShortcutsDialog onClose={onClose} />
    </Opening>
  ) : (
    <Opening title={text('settings.settings')} size="full" onClose={onClose}>
      <SettingsDialog session={session} place={dialog} onClose={onClose} />
    </Opening>
  );
}
