/**
 * Skein's own commands, and the parser of a command line. A line that names no command is a message, and so
 * is one with an argument that its command does not take: no text is ever dropped.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionView } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import type { Command } from '../../state/app/command';
import { clearToastId } from '../../state/text/toastIds';
import { useCompactionActions } from '../../state/turn/useCompactionActions';
import { useUndoCompaction } from '../../state/turn/useUndoCompaction';

type UseCommandsOptions = {
  view: SessionView;
  onEstimate: () => void;
  onNewThread: () => Promise<unknown>;
  onInstructions: () => void;
  onExport: () => void;
  /** Opens the side questions; null: without a first one. */
  onAside: (question: string | null) => void;
};

export function useCommands(options: UseCommandsOptions): readonly Command[] {
  const { view, onEstimate, onNewThread, onInstructions, onExport, onAside } = options;
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const compaction = useUndoCompaction(toast);
  const { commands } = useBackend();
  const { id, currentThread } = view.session;
  const { compact } = useCompactionActions(id);
  return [
    {
      name: 'context',
      description: text('commands.context'),
      argument: null,
      run: () => {
        onEstimate();
        return commands.postContext(id);
      },
    },
    {
      name: 'compact',
      description: text('commands.compact'),
      argument: { hint: text('commands.compactKeep'), required: false },
      run: (keep) => compact(null, keep),
    },
    {
      name: 'aside',
      description: text('commands.aside'),
      argument: { hint: text('commands.asideQuestion'), required: false },
      run: (question) => {
        onAside(question);
        return Promise.resolve();
      },
    },
    {
      name: 'undo-compact',
      description: text('commands.undoCompact'),
      argument: null,
      run: () => compaction.undo(id, currentThread),
    },
    {
      name: 'redo-compact',
      description: text('commands.redoCompact'),
      argument: null,
      run: () => compaction.redo(id, currentThread),
    },
    { name: 'new', description: text('commands.new'), argument: null, run: onNewThread },
    {
      name: 'clear',
      description: text('commands.clear'),
      argument: null,
      run: async () => {
        await commands.clearMind(id);
        toast({
          words: text('commands.cleared'),
          of: clearToastId(id),
          undo: () => {
            reportError(commands.undoClear(id));
          },
        });
      },
    },
    {
      name: 'instructions',
      description: text('commands.instructions'),
      argument: null,
      run: () => {
        onInstructions();
        return Promise.resolve();
      },
    },
    {
      name: 'export',
      description: text('commands.export'),
      argument: null,
      run: () => {
        onExport();
        return Promise.resolve();
      },
    },
  ];
}

/** An input method may turn the slash key into a mark of its own language. */
const slash = '[/、／]';
const wholeLine = new RegExp(`^${slash}(\\S+)\\s*([\\s\\S]*)$`);
const nameAlone = new RegExp(`^${slash}(\\S*)$`);
const nameAndSpace = new RegExp(`^${slash}(\\S+) $`);

/** The command that a sent line runs; null: the line is a message. */
export function parseCommand(line: string, commands: readonly Command[]) {
  const [, name, rest = ''] = wholeLine.exec(line.trim()) ?? [];
  const command = commands.find((one) => one.name === name?.toLowerCase());
  if (!command || (rest !== '' && !command.argument)) return null;
  if (rest === '' && command.argument?.required === true) return null;
  return { command, argument: rest === '' ? null : rest };
}

/** The commands that complete a half-written name, best first; null: no command name is being written. */
export function suggestCommands(line: string, commands: readonly Command[]) {
  const query = nameAlone.exec(line)?.[1]?.toLowerCase();
  if (query === undefined) return null;
  const byPrefix = commands.filter(({ name }) => name.toLowerCase().startsWith(query));
  const byPart = commands.filter((one) => !byPrefix.includes(one) && one.name.includes(query));
  const suggestions = [...byPrefix, ...byPart];
  return suggestions.length === 0 ? null : suggestions;
}

/** The command whose argument comes next, while the argument is still empty. */
export function commandAwaitingArgument(line: string, commands: readonly Command[]) {
  const typedName = nameAndSpace.exec(line)?.[1];
  return commands.find(({ name, argument }) => argument && name === typedName) ?? null;
}
