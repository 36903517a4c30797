/**
 * The picture of an attachment, as an address an `<img>` can show; null for what is no picture, or is
 * not there yet. Read once: what is stored under a blob's key never changes.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { ContentPart } from '../ipc/bindings';

export type Attachment = Extract<ContentPart, { type: 'image' | 'file' }>;

export function usePicture(part: Attachment): string | null {
  const { commands } = useBackend();
  const blob = part.type === 'image' ? part.blob : null;
  const { data } = useQuery({
    queryKey: ['picture', blob],
    queryFn: () => commands.picture(blob ?? 0),
    enabled: blob !== null,
    gcTime: 60_000,
  });
  return part.type === 'image' && data !== undefined
    ? `data:${part.mediaType};base64,${data}`
    : null;
}
