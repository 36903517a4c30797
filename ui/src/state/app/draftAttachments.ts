/**
 * What goes along with a message, as a draft names it: what a file says stays where it is kept.
 */
import type { Attachment, ContentPart } from '../../ipc/bindings';

export const attachmentsFromParts = (parts: readonly ContentPart[]): Attachment[] =>
  parts.flatMap((part): Attachment[] => {
    if (part.type === 'image') return [part];
    if (part.type !== 'file') return [];
    const { type, blob, name, mediaType, bytes } = part;
    return [{ type, blob, name, mediaType, bytes }];
  });
