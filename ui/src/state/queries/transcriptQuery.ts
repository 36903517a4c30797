/**
 * The messages of a thread, in pages around a message or at the end.
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

/** The pages that stay loaded at the end of a thread; earlier ones are fetched on demand. */
const pagesKeptAtEnd = 3;

const transcriptKey = (threadId: ThreadId, around: MessageId | null) => [
  ...queryKeys.thread(threadId),
  'pages',
  around,
];

/** The pages of a thread in order, from the end or around a message. */
export function useTranscript(threadId: ThreadId, around: MessageId | null) {
  const { commands } = useBackend();
  const first: TranscriptPosition =
    around === null ? { type: 'end' } : { type: 'around', messageId: around };
  return useInfiniteQuery({
    queryKey: transcriptKey(threadId, around),
    queryFn: ({ pageParam }) => commands.transcript(threadId, pageParam, pageSize),
    initialPageParam: first,
    // The transcript shows the error itself, with more actions than a retry.
    ...optional,
    // The previous pages are shown while others load.
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
 * Drops the pages far before the end of a thread when the view goes to the end: each change of the thread
 * refetches all loaded pages one after the other.
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
