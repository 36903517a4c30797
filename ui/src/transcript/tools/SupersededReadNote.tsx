/**
 * The line on a call that has read a file whose output is left out of the context, because a later call read
 * the same file (W06).
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { MessageId, SessionId } from '../../ipc/bindings';
import { optional, queryKeys } from '../../state/queries/queries';

type SupersededReadNoteProps = { messageId: MessageId; callId: string; sessionId: SessionId };

export function SupersededReadNote({ messageId, callId, sessionId }: SupersededReadNoteProps) {
  const text = useText();
  const formats = useFormats();
  const { commands } = useBackend();
  const { data: reads = [] } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'supersededReads'],
    queryFn: () => commands.supersededReads(sessionId),
    ...optional,
  });
  const own = reads.find((read) => read.messageId === messageId && read.callId === callId);
  if (!own) return null;
  return (
    <p className="Tool-note">{text('tools.readAgain', { tokens: formats.exact(own.tokens) })}</p>
  );
}
