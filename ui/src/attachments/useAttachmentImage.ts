/**
 * The URL of an attachment's image, for an `<img>`. It is read once: the content under a blob's key never
 * changes.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { Attachment } from '../ipc/bindings';
import { optional } from '../state/queries/queries';

type AttachmentImage = {
  /** null: no image, or not loaded. */
  address: string | null;
  /** The image could not be read. */
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

/** The URL alone. Without one, the caller shows the name. */
export const useAttachmentImageUrl = (part: Attachment) => useAttachmentImage(part).address;
