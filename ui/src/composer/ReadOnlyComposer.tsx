/**
 * Replaces the composer below an archived thread, which takes no messages. It shows the session's context
 * health (D16) and stops a running reply. It has no token estimate: that is of a draft.
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
    <div className="ReadOnlyComposer">
      <ContextHealthRing sessionId={id} due={null} />
      {isReplying && <StopButton session={id} />}
    </div>
  );
}
