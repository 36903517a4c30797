/**
 * Editing what the person said last in a thread: where its end is not loaded, or holds nothing of theirs,
 * as after a long turn of tools, the thread is read back to it. Whatever else is done meanwhile ends that.
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
  /** Shows the row at this place. */
  toRow: (index: number) => void;
  onEnd: () => void;
};

export function useEditLast(props: EditLastOptions) {
  const { items, toTheEnd, pages, scrollTarget, onEdit, toRow, onEnd } = props;
  /** It is looked for, and for as long as nothing else is gone to; null: it is not. */
  const [seeking, setSeeking] = useState<{ from: MessageScrollTarget | null } | null>(null);
  /** Opened just now; the same again is a new object. */
  const [opened, setOpened] = useState<{ id: MessageId } | null>(null);
  const last = toTheEnd
    ? items.findLast(({ message }) => message.origin === 'person')?.message.id
    : undefined;
  const { hasPreviousPage, fetchPreviousPage, isFetching, isError } = pages;
  const isNowhere = toTheEnd && !hasPreviousPage && !isFetching;
  if (seeking && last !== undefined) {
    setSeeking(null);
    setOpened({ id: last });
    onEdit(last);
  } else if (seeking && (isNowhere || isError || seeking.from !== scrollTarget)) {
    setSeeking(null);
  }
  const readsBack =
    seeking !== null && toTheEnd && last === undefined && hasPreviousPage && !isFetching;
  useEffect(() => {
    if (readsBack) void fetchPreviousPage();
  }, [readsBack, fetchPreviousPage]);
  useLayoutEffect(() => {
    if (opened) toRow(items.findIndex(({ message }) => message.id === opened.id));
    // Only when it is opened: afterwards the person scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [opened]);
  return {
    /** False: the thread has no message of the user. */
    edit: () => {
      if (isNowhere && last === undefined) return false;
      if (!toTheEnd) onEnd();
      setSeeking({ from: toTheEnd ? scrollTarget : null });
      return true;
    },
    cancel: () => {
      setSeeking(null);
    },
  };
}
