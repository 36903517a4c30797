/**
 * The picture of an attachment, as an address an `<img>` can show. Read once: what is stored under a
 * blob's key never changes.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { Attachment } from '../ipc/bindings';
import { optional } from '../state/queries/queries';

type AttachmentImage = {
  /** null: it is no picture, or not there (yet). */
  address: string | null;
  /** It could not be read. */
  failed: boolean;
};

export function useAttachmentImage(part: Attachment): AttachmentImage {
  const { commands } = useBackend();
  const blob = part.type === 'image' ? part.blob : null;
  const { data, isError } = useQuery({
    queryKey: ['picture', blob],
    queryFn: () => commands.picture(blob ?? 0),
    enabled: blob !== null,
    gcTime: 60_000,
    ...optional,
  });
  const isThere = part.type === 'image' && data !== undefined;
  return { address: isThere ? `data:${part.mediaType};base64,${data}` : null, failed: isError };
}

/** Its address alone: where it cannot be shown, its name stands for it. */
export const useAttachmentImageUrl = (part: Attachment) => useAttachmentImage(part).address;
