/**
 * The shortcuts for the last reply of a thread.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Message, SessionId, ThreadId } from '../../ipc/bindings';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import { useToast } from '../../kit/notifications/Toast';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { useReportError } from '../../state/text/useReportError';
import { useCopyMessage } from '../state/useCopyMessage';
import { hasText } from '../state/messageText';

/** The messages that are searched for it: cards, notices and summaries may follow it. */
const searchedMessages = 20;

type ReplyShortcutsProps = { sessionId: SessionId; threadId: ThreadId; readOnly: boolean };

export function ReplyShortcuts({ sessionId, threadId, readOnly }: ReplyShortcutsProps) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const copy = useCopyMessage();
  const replied = useLastReply(threadId);
  const copyLast = async () => {
    const reply = (await replied()).findLast(hasText);
    if (!reply) {
      toast({ words: text('transcript.nothingToCopy') });
      return;
    }
    const isCopied = await copy(reply).then(
      () => true,
      () => false,
    );
    toast({ words: text(isCopied ? 'kit.copied' : 'kit.notCopied'), failed: !isCopied });
  };
  useShortcut('Mod+Shift+C', text('keyboard.copyReply'), () => {
    reportError(copyLast());
  });
  return readOnly ? null : <RegenerateShortcut {...{ sessionId, replied }} />;
}

type RegenerateShortcutProps = { sessionId: SessionId; replied: () => Promise<readonly Message[]> };

function RegenerateShortcut({ sessionId, replied }: RegenerateShortcutProps) {
  const text = useText();
  const reportError = useReportError(useToast());
  const actions = useSessionActions(sessionId);
  const regenerate = async () => {
    const reply = (await replied()).at(-1);
    if (reply) await actions.regenerate(reply.id);
  };
  useShortcut('Mod+Shift+G', text('keyboard.regenerateReply'), () => {
    reportError(regenerate());
  });
  return null;
}

/** The last reply; undefined: the last message is not the model's, or it is still streaming. */
function useLastReply(threadId: ThreadId) {
  const { commands } = useBackend();
  return async (): Promise<readonly Message[]> => {
    const { items } = await commands.transcript(threadId, { type: 'end' }, searchedMessages);
    const said = items.map(({ message }) => message).filter(({ kind }) => kind.type === 'chat');
    const last = said.at(-1);
    if (last?.role !== 'assistant' || last.state.type === 'streaming') return [];
    return said.slice(said.findLastIndex(({ role }) => role === 'user') + 1);
  };
}
