/**
 * A thread's messages, in pages around what is looked at, and the reply that is growing.
 */
import {
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { useBackend } from '../../ipc';
import type { MessageId, TranscriptView, TranscriptPosition, ThreadId } from '../../ipc/bindings';
import { optional, queryKeys } from './queries';

const pageSize = 60;

/** So many pages are enough for who is at the end; those before them are read when they are gone to. */
const pagesKeptAtEnd = 3;

const transcriptKey = (threadId: ThreadId, around: MessageId | null) => [
  ...queryKeys.thread(threadId),
  'pages',
  around,
];

/** Pages of a thread in order; opened at its end, or around a message that was searched for. */
export function useTranscript(threadId: ThreadId, around: MessageId | null) {
  const { commands } = useBackend();
  const first: TranscriptPosition =
    around === null ? { type: 'end' } : { type: 'around', messageId: around };
  return useInfiniteQuery({
    queryKey: transcriptKey(threadId, around),
    queryFn: ({ pageParam }) => commands.transcript(threadId, pageParam, pageSize),
    initialPageParam: first,
    // Who shows it knows more ways on than to try again.
    ...optional,
    // While other pages are read, what was shown stays.
    placeholderData: keepPreviousData,
    getNextPageParam: (last: TranscriptView): TranscriptPosition | undefined => {
      const end = idsOnPath(last).at(-1);
      return last.after > 0 && end !== undefined ? { type: 'after', messageId: end } : undefined;
    },
    getPreviousPageParam: (page: TranscriptView): TranscriptPosition | undefined => {
      const begin = idsOnPath(page)[0];
      return page.before > 0 && begin !== undefined
        ? { type: 'before', messageId: begin }
        : undefined;
    },
  });
}

/**
 * Lets go of the pages far before the end of a thread, for who goes there: whatever is held is read
 * again, a page after the other, as often as the thread changes.
 */
export function useTrimPages(threadId: ThreadId) {
  const client = useQueryClient();
  return useCallback(() => {
    client.setQueryData<InfiniteData<TranscriptView, TranscriptPosition>>(
      transcriptKey(threadId, null),
      (held) => {
        const isLong = held && held.pages.length > pagesKeptAtEnd && held.pages.at(-1)?.after === 0;
        return isLong
          ? {
              pages: held.pages.slice(-pagesKeptAtEnd),
              pageParams: held.pageParams.slice(-pagesKeptAtEnd),
            }
          : held;
      },
    );
  }, [client, threadId]);
}

const idsOnPath = (page: TranscriptView) =>
  page.items
    .filter(({ message }) => message.kind.type === 'chat' || message.kind.type === 'notice')
    .map(({ message }) => message.id);
