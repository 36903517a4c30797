/**
 * The keys for the last reply of a thread, wherever in it the person reads.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Message, SessionId, ThreadId } from '../ipc/bindings';
import { useShortcut } from '../kit/shortcuts';
import { useToast } from '../kit/Toast';
import { useActions } from '../state/actions';
import { useAttempting } from '../state/attempt';
import { useCopying } from './copying';
import { hasWords } from './plainText';

/** So many messages are looked through for it: cards, notices and summaries may stand behind it. */
const looked = 20;

type ReplyKeysProps = { sessionId: SessionId; threadId: ThreadId; readOnly: boolean };

export function ReplyKeys({ sessionId, threadId, readOnly }: ReplyKeysProps) {
  const text = useText();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const copy = useCopying();
  const replied = useReplied(threadId);
  const copyLast = async () => {
    const reply = (await replied()).findLast(hasWords);
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
    attempt(copyLast());
  });
  return readOnly ? null : <Regenerating {...{ sessionId, replied }} />;
}

type RegeneratingProps = { sessionId: SessionId; replied: () => Promise<readonly Message[]> };

function Regenerating({ sessionId, replied }: RegeneratingProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const actions = useActions(sessionId);
  const regenerate = async () => {
    const reply = (await replied()).at(-1);
    if (reply) await actions.regenerate(reply.id);
  };
  useShortcut('Mod+Shift+G', text('keyboard.regenerateReply'), () => {
    attempt(regenerate());
  });
  return null;
}

/** The steps of the last reply; none where the model has not said the last word, or is still saying it. */
function useReplied(threadId: ThreadId) {
  const { commands } = useBackend();
  return async (): Promise<readonly Message[]> => {
    const { items } = await commands.transcript(threadId, { type: 'end' }, looked);
    const said = items.map(({ message }) => message).filter(({ kind }) => kind.type === 'chat');
    const last = said.at(-1);
    if (last?.role !== 'assistant' || last.state.type === 'streaming') return [];
    return said.slice(said.findLastIndex(({ role }) => role === 'user') + 1);
  };
}
