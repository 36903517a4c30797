/**
 * How much of a call's arguments a model has written, while that takes longer than a glance: a long file
 * comes as one argument.
 * Only seen: whoever listens hears the call when it runs.
 */
import { useFormats, useText } from '../i18n';
import type { MessageId, SessionId, ToolCall } from '../ipc/bindings';
import { callKey } from '../state/call';
import { useTurn } from '../state/turn';

/** Characters: what is shorter is there at once. */
const worthSaying = 500;

type WritingProps = { messageId: MessageId; call: ToolCall; sessionId: SessionId };

export function Writing({ messageId, call, sessionId }: WritingProps) {
  const text = useText();
  const { tokens: short } = useFormats();
  const key = callKey(messageId, call.callId);
  const chars = useTurn(sessionId, (turn) => turn.writing[key] ?? 0);
  if (call.state.type !== 'pending' || chars < worthSaying) return null;
  return <p className="Tool-progress">{text('tools.writing', { chars: short(chars) })}</p>;
}
