/**
 * The size of the tool arguments that a model is writing, once it is large: a file is one argument. It is
 * not announced: screen readers are told when the tool runs.
 */
import { useFormats, useText } from '../../i18n';
import type { MessageId, SessionId, ToolCall } from '../../ipc/bindings';
import { toolCallKey } from '../../state/turn/toolCallKey';
import { useTurn } from '../../state/turn/turnStore';

/** A smaller size is not shown, in characters. */
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
