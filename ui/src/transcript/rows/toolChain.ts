/**
 * The steps of a turn that only call tools: what follows belongs closer to them than a message to the next.
 */
import type { ContentPart, TranscriptItem } from '../../ipc/bindings';

/** It only called tools, and the model went on in `next`. */
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
