/**
 * The type and length of a document as a text; null: no document, or not known yet.
 */
import { useQuery } from '@tanstack/react-query';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Attachment } from '../ipc/bindings';
import { optional } from '../state/queries/queries';

const office = 'application/vnd.openxmlformats-officedocument';
const kinds = new Map<string, 'pdf' | 'word' | 'sheets' | 'slides'>([
  ['application/pdf', 'pdf'],
  [`${office}.wordprocessingml.document`, 'word'],
  ['application/msword', 'word'],
  [`${office}.spreadsheetml.sheet`, 'sheets'],
  ['application/vnd.ms-excel', 'sheets'],
  ['application/vnd.ms-excel.sheet.binary.macroEnabled.12', 'sheets'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'sheets'],
  [`${office}.presentationml.presentation`, 'slides'],
  ['application/vnd.ms-powerpoint', 'slides'],
]);

/** True if only the extracted text of the attachment is sent. */
export const isDocument = ({ mediaType }: Attachment) => kinds.has(mediaType);

export function useDocumentLabel(part: Attachment): string | null {
  const text = useText();
  const { commands } = useBackend();
  const kind = kinds.get(part.mediaType);
  const { data: count = null } = useQuery({
    queryKey: ['attachedPages', part.blob],
    queryFn: () => commands.attachedPages(part.blob, part.name),
    enabled: kind !== undefined && kind !== 'word',
    gcTime: 60_000,
    ...optional,
  });
  if (kind === 'word') return text('attach.word');
  return kind === undefined || count === null ? null : text(`attach.${kind}`, { count });
}
