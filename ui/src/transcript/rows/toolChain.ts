/**
 * Steps of a turn that only call tools: the next row stands closer to them.
 */
import type { ContentPart, TranscriptItem } from '../../ipc/bindings';

/** The message only calls tools, and the model continues in `next`. */
export function continuesToolChain(
  { message }: TranscriptItem,
  next: TranscriptItem | undefined,
): boolean {
  const { kind, role, state, parts } = message;
  return (
    next?.message.kind.type === 'chat' &&
    next.message.role === 'assistant' &&
    kind.type === 'chat' &&
    role === 'assistant' &&
    state.type === 'complete' &&
    parts.some(({ type }) => type === 'tool') &&
    parts.every(isToolOnlyPart)
  );
}

const isToolOnlyPart = (part: ContentPart) =>
  part.type === 'tool' ||
  part.type === 'reasoning' ||
  (part.type === 'text' && part.text.trim() === '');
