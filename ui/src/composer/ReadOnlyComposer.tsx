/**
 * In the place of the box, where none is: a thread that has ended takes nothing. What goes on in its session
 * is seen here as well, and stopped: its health (D16) and the reply that runs. The estimate is of a message,
 * and none is written here.
 */
import { useFileDrop } from '../attachments/useFileDrop';
import type { SessionView } from '../ipc/bindings';
import { useIsReplying } from '../state/turn/turnStore';
import { ContextHealthRing } from './ContextHealthRing';
import { StopButton } from './sending/StopButton';
import './ReadOnlyComposer.css';

export function ReadOnlyComposer({ view }: { view: SessionView }) {
  const { id } = view.session;
  const isReplying = useIsReplying(view);
  useFileDrop(null);
  return (
    <div className="NoBox">
      <ContextHealthRing sessionId={id} due={null} />
      {isReplying && <StopButton session={id} />}
    </div>
  );
}
