/**
 * The messages that stay mounted: those that the user holds, and the edited one.
 */
import type { MessageId, TranscriptItem } from '../../ipc/bindings';
import { pinnedIndexes, type usePinnedRows } from '../../kit/lists/pinnedRows';

/** The indexes of these messages. */
export function pinnedMessageIndexes(
  held: ReturnType<typeof usePinnedRows>,
  editing: MessageId | null,
  items: readonly TranscriptItem[],
): number[] {
  const place = (id: MessageId) => items.findIndex(({ message }) => message.id === id);
  const edited = editing === null ? [] : [place(editing)].filter((at) => at >= 0);
  return [...pinnedIndexes(held, (row) => place(Number(row))), ...edited];
}
