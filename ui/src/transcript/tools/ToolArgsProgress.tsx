/**
 * How much of a call's arguments a model has written, while that takes longer than a glance: a long file
 * comes as one argument.
 * Only seen: whoever listens hears the call when it runs.
 */
import { useFormats, useText } from '../../i18n';
import type { MessageId, SessionId, ToolCall } from '../../ipc/bindings';
import { toolCallKey } from '../../state/turn/toolCallKey';
import { useTurn } from '../../state/turn/turnStore';

/** Characters: what is shorter is there at once. */
const showFromChars = 500;

type ToolArgsProgressProps = { messageId: MessageId; call: ToolCall; sessionId: SessionId };

export function ToolArgsProgress({ messageId, call, sessionId }: ToolArgsProgressProps) {
  const text = useText();
  const { tokens: short } = useFormats();
  const key = toolCallKey(messageId, call.callId);
  const chars = useTurn(sessionId, (turn) => turn.argumentChars[key] ?? 0);
  if (call.state.type !== 'pending' || chars < showFromChars) return null;
  return <p className="Tool-progress">{text('tools.writing', { chars: short(chars) })}</p>;
}
