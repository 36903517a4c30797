/**
 * What a line that begins with a slash does. A line that names no command is a message.
 */
import type { Backend } from '../ipc';
import type { SessionId, SessionView } from '../ipc/bindings';

type Surroundings = {
  commands: Backend['commands'];
  sessionId: SessionId;
  view: SessionView;
  onEstimate: () => void;
  onNewThread: () => void;
};

/** The command a line names, begun; null for a message. */
export function runCommand(line: string, around: Surroundings): Promise<unknown> | null {
  const [, name = '', rest = ''] = /^\/([a-z-]+)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const { commands, sessionId, view, onEstimate, onNewThread } = around;
  switch (name) {
    case 'context':
      onEstimate();
      return commands.postContext(sessionId);
    case 'compact':
      return commands.compact(sessionId, rest === '' ? null : rest);
    case 'undo-compact':
      return commands.undoCompaction(view.session.currentThread);
    case 'new':
      onNewThread();
      return Promise.resolve();
    case 'clear':
      return commands.clearMind(sessionId);
    default:
      return null;
  }
}
