/**
 * The attachments of a message in the form of a draft: without the text of the files, which stays in the
 * store.
 */
import type { Attachment, ContentPart } from '../../ipc/bindings';

export const attachmentsFromParts = (parts: readonly ContentPart[]): Attachment[] =>
  parts.flatMap((part): Attachment[] => {
    if (part.type === 'image') return [part];
    if (part.type !== 'file') return [];
    const { type, blob, name, mediaType, bytes } = part;
    return [{ type, blob, name, mediaType, bytes }];
  });
