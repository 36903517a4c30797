/**
 * The actions that make the savings of a context: each is one that the user has elsewhere, and can be undone
 * there and from its toast.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ContextSaving, MessageId, SessionId, Settings } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { useRevealFile } from '../../state/app/useRevealFile';
import { useReportError } from '../../state/text/useReportError';

type Switches = Settings['tools']['switches'];

export function useSavingAction(sessionId: SessionId): (saving: ContextSaving) => void {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const reveal = useRevealFile(toast);
  const { commands } = useBackend();
  const changeSwitches = async (change: (now: Switches) => Switches) => {
    const { settings } = await commands.settings();
    const { tools } = settings;
    const switches = change(tools.switches);
    await commands.saveSettings(settings, { ...settings, tools: { ...tools, switches } });
    return tools.switches;
  };
  const switchOff = async (names: readonly string[]) => {
    const off = Object.fromEntries(names.map((name) => [name, 'off' as const]));
    const before = await changeSwitches((now) => ({ ...now, ...off }));
    const undo = () => {
      reportError(changeSwitches((now) => withSwitchesOf(now, names, before)));
    };
    toast({ words: text('savings.switchedOff', { count: names.length }), undo });
  };
  const include = async (message: MessageId, to: 'leftOut' | 'usual') => {
    await commands.includeMessage(message, to);
    const undo = () => {
      reportError(commands.includeMessage(message, to === 'usual' ? 'pinned' : 'usual'));
    };
    toast({ words: text(`transcript.now_${to}`), undo });
  };
  return ({ kind }) => {
    switch (kind.type) {
      case 'unusedTools':
        reportError(switchOff(kind.tools));
        break;
      case 'attachment':
      case 'toolResult':
        reportError(include(kind.message, 'leftOut'));
        break;
      case 'pinned':
        reportError(include(kind.message, 'usual'));
        break;
      case 'instructionFile':
        reveal(kind.path);
        break;
      case 'compaction':
        reportError(commands.compact(sessionId, null, null));
    }
  };
}

/** The switches with those of some tools as they were before. */
function withSwitchesOf(now: Switches, names: readonly string[], before: Switches): Switches {
  const others = Object.entries(now).filter(([name]) => !names.includes(name));
  const own = Object.entries(before).filter(([name]) => names.includes(name));
  return Object.fromEntries([...others, ...own]);
}
