/**
 * The dialogs about a session. They are not part of the sidebar, which unmounts when the app window becomes
 * narrow: a dialog may hold unsaved input.
 */
import type { SessionItem } from '../../ipc/bindings';
import { ExportDialog } from './ExportDialog';
import { InstructionsDialog } from './InstructionsDialog';
import { RenameDialog } from './RenameDialog';

export type SessionOverlay = { type: 'instruct' | 'export' | 'rename'; session: SessionItem };

type SessionOverlaysProps = { opened: SessionOverlay; onClose: () => void };

export function SessionOverlays({ opened: { type, session }, onClose }: SessionOverlaysProps) {
  switch (type) {
    case 'instruct':
      return <InstructionsDialog sessionId={session.id} onClose={onClose} />;
    case 'rename':
      return <RenameDialog session={session} onClose={onClose} />;
    case 'export':
      return <ExportDialog sessionId={session.id} title={session.name} onClose={onClose} />;
  }
}
