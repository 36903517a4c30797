/**
 * Opens the user's last message for editing. If it is not loaded, as after a long turn of tool calls, earlier
 * pages are fetched until it is. Any other navigation cancels that.
 */
import { useEffect, useLayoutEffect, useState } from 'react';
import type { MessageId, TranscriptItem } from '../../ipc/bindings';
import type { useTranscript } from '../../state/queries/transcriptQuery';
import type { MessageScrollTarget } from '../scroll/scrollToMatch';

type EditLastOptions = {
  items: readonly TranscriptItem[];
  toTheEnd: boolean;
  pages: ReturnType<typeof useTranscript>;
  scrollTarget: MessageScrollTarget | null;
  onEdit: (message: MessageId) => void;
  /** Scrolls to the row. */
  toRow: (index: number) => void;
  onEnd: () => void;
};

export function useEditLast(props: EditLastOptions) {
  const { items, toTheEnd, pages, scrollTarget, onEdit, toRow, onEnd } = props;
  /** Pages are being fetched; another scroll target than `from` cancels that. null: no search runs. */
  const [seeking, setSeeking] = useState<{ from: MessageScrollTarget | null } | null>(null);
  /** The message that was just opened; the same again is a new object. */
  const [opened, setOpened] = useState<{ id: MessageId } | null>(null);
  const last = toTheEnd
    ? items.findLast(({ message }) => message.origin === 'person')?.message.id
    : undefined;
  const { hasPreviousPage, fetchPreviousPage, isFetching, isError } = pages;
  const isAbsent = toTheEnd && !hasPreviousPage && !isFetching;
  if (seeking && last !== undefined) {
    setSeeking(null);
    setOpened({ id: last });
    onEdit(last);
  } else if (seeking && (isAbsent || isError || seeking.from !== scrollTarget)) {
    setSeeking(null);
  }
  const needsPage =
    seeking !== null && toTheEnd && last === undefined && hasPreviousPage && !isFetching;
  useEffect(() => {
    if (needsPage) void fetchPreviousPage();
  }, [needsPage, fetchPreviousPage]);
  useLayoutEffect(() => {
    if (opened) toRow(items.findIndex(({ message }) => message.id === opened.id));
    // Only when it opens: afterwards the user scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [opened]);
  return {
    /** False: the thread has no message of the user. */
    edit: () => {
      if (isAbsent && last === undefined) return false;
      if (!toTheEnd) onEnd();
      setSeeking({ from: toTheEnd ? scrollTarget : null });
      return true;
    },
    cancel: () => {
      setSeeking(null);
    },
  };
}
