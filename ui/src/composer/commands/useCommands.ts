/**
 * Skein's own commands, and how a line finds one. A line that names no command is a message, and so
 * is one that says more than its command takes: nothing written is ever dropped.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionView } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import type { Command } from '../../state/app/command';
import { clearToastId } from '../../state/text/toastIds';
import { useUndoCompaction } from '../../state/turn/useUndoCompaction';

type CommandContext = {
  view: SessionView;
  onEstimate: () => void;
  onNewThread: () => Promise<unknown>;
  onInstructions: () => void;
  onExport: () => void;
};

export function useCommands(around: CommandContext): readonly Command[] {
  const { view, onEstimate, onNewThread, onInstructions, onExport } = around;
  const text = useText();
  const toast = useToast();
  const attempt = useReportError(toast);
  const compaction = useUndoCompaction(toast);
  const { commands } = useBackend();
  const { id, currentThread } = view.session;
  return [
    {
      name: 'context',
      words: text('commands.context'),
      argument: null,
      run: () => {
        onEstimate();
        return commands.postContext(id);
      },
    },
    {
      name: 'compact',
      words: text('commands.compact'),
      argument: { hint: text('commands.compactKeep'), required: false },
      run: (keep) => commands.compact(id, keep),
    },
    {
      name: 'undo-compact',
      words: text('commands.undoCompact'),
      argument: null,
      run: () => compaction.undo(id, currentThread),
    },
    {
      name: 'redo-compact',
      words: text('commands.redoCompact'),
      argument: null,
      run: () => compaction.redo(id, currentThread),
    },
    { name: 'new', words: text('commands.new'), argument: null, run: onNewThread },
    {
      name: 'clear',
      words: text('commands.clear'),
      argument: null,
      run: async () => {
        await commands.clearMind(id);
        toast({
          words: text('commands.cleared'),
          of: clearToastId(id),
          undo: () => {
            attempt(commands.undoClear(id));
          },
        });
      },
    },
    {
      name: 'instructions',
      words: text('commands.instructions'),
      argument: null,
      run: () => {
        onInstructions();
        return Promise.resolve();
      },
    },
    {
      name: 'export',
      words: text('commands.export'),
      argument: null,
      run: () => {
        onExport();
        return Promise.resolve();
      },
    },
  ];
}

/** What a slash is written with: an input method may make one of its own marks of that key. */
const slash = '[/、／]';
const wholeLine = new RegExp(`^${slash}(\\S+)\\s*([\\s\\S]*)$`);
const nameAlone = new RegExp(`^${slash}(\\S*)$`);
const nameAndSpace = new RegExp(`^${slash}(\\S+) $`);

/** What a line begins when it is sent; null for a message. */
export function parseCommand(line: string, commands: readonly Command[]) {
  const [, name, rest = ''] = wholeLine.exec(line.trim()) ?? [];
  const command = commands.find((one) => one.name === name?.toLowerCase());
  if (!command || (rest !== '' && !command.argument)) return null;
  if (rest === '' && command.argument?.required === true) return null;
  return { command, argument: rest === '' ? null : rest };
}

/** The commands a half-written name may become, best first; null where none is being written. */
export function suggestCommands(line: string, commands: readonly Command[]) {
  const written = nameAlone.exec(line)?.[1]?.toLowerCase();
  if (written === undefined) return null;
  const first = commands.filter(({ name }) => name.toLowerCase().startsWith(written));
  const then = commands.filter((one) => !first.includes(one) && one.name.includes(written));
  const found = [...first, ...then];
  return found.length === 0 ? null : found;
}

/** The command whose argument is being written, while nothing of it is there yet. */
export function commandAwaitingArgument(line: string, commands: readonly Command[]) {
  const written = nameAndSpace.exec(line)?.[1];
  return commands.find(({ name, argument }) => argument && name === written) ?? null;
}
