/**
 * In the place of the box, where none is: a thread that has ended takes nothing. What goes on in its session
 * is seen here as well, and stopped: its health (D16) and the reply that runs. The estimate is of a message,
 * and none is written here.
 */
import { useDrops } from '../attachments/dropping';
import type { SessionView } from '../ipc/bindings';
import { useReplying } from '../state/turn';
import { HealthPie } from './HealthPie';
import { StopButton } from './StopButton';
import './NoBox.css';

export function NoBox({ view }: { view: SessionView }) {
  const { id } = view.session;
  const isReplying = useReplying(view);
  useDrops(null);
  return (
    <div className="NoBox">
      <HealthPie sessionId={id} due={null} />
      {isReplying && <StopButton session={id} />}
    </div>
  );
}
