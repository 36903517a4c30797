/**
 * What a session of the list opens over the window: not in the list, which goes away where the window
 * becomes narrow, and something may be written here.
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
