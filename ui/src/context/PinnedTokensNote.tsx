/**
 * The tokens of pinned messages and their limit. Nothing without pinned messages.
 */
import { useFormats, useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { useCompactions } from '../state/queries/queries';

export function PinnedTokensNote({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const formats = useFormats();
  const { data } = useCompactions(sessionId);
  if (!data || data.pins.messages === 0) return null;
  const { messages, tokens, limit } = data.pins;
  return (
    <p className="ContextDialog-note">
      {text('compaction.pins', {
        count: messages,
        tokens: formats.exact(tokens),
        limit: formats.exact(limit),
      })}
    </p>
  );
}
