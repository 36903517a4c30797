/**
 * The messages of a thread, in pages around a message or at the end.
 */
import {
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { useBackend } from '../../ipc';
import type {
  Message,
  MessageId,
  TranscriptView,
  TranscriptPosition,
  ThreadId,
} from '../../ipc/bindings';
import { knownTexts, withKnownTexts } from '../text/knownTexts';
import { turnStore } from '../turn/turnStore';
import { optional, queryKeys } from './queries';

const pageSize = 60;

/** The pages that stay loaded at the end of a thread; earlier ones are fetched on demand. */
const pagesKeptAtEnd = 3;

type TranscriptPages = InfiniteData<TranscriptView, TranscriptPosition>;

/** Followed by the message that the pages are around, or null. */
const transcriptKey = (threadId: ThreadId) => [...queryKeys.thread(threadId), 'pages'];

/** The pages of a thread in order, from the end or around a message. */
export function useTranscript(threadId: ThreadId, around: MessageId | null) {
  const { commands } = useBackend();
  const client = useQueryClient();
  const first: TranscriptPosition =
    around === null ? { type: 'end' } : { type: 'around', messageId: around };
  return useInfiniteQuery({
    queryKey: [...transcriptKey(threadId), around],
    queryFn: async ({ pageParam }) => {
      const held = heldMessages(client, threadId);
      const page = await commands.transcript(threadId, pageParam, pageSize, knownTexts(held));
      return withHeldTexts(page, held);
    },
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

/** The messages of a thread that this window has, live or read before. */
function heldMessages(client: QueryClient, threadId: ThreadId): readonly Message[] {
  const read = client.getQueriesData<TranscriptPages>({
    queryKey: transcriptKey(threadId),
  });
  const pages = read.flatMap(([, held]) => held?.pages ?? []);
  return [
    ...turnStore.liveOf(threadId),
    ...pages.flatMap(({ items }) => items.map(({ message }) => message)),
  ];
}

/** A page with the texts that Rust left out because they are in `held`. */
function withHeldTexts(page: TranscriptView, held: readonly Message[]): TranscriptView {
  const { knownTexts: texts = [], ...rest } = page;
  if (texts.length === 0) return rest;
  // Rust leaves out only what it was told of.
  const items = page.items.map((item) => ({
    ...item,
    message: withKnownTexts(item.message, texts, held) ?? item.message,
  }));
  return { ...rest, items };
}

/**
 * Drops the pages far before the end of a thread when the view goes to the end: each change of the thread
 * refetches all loaded pages one after the other.
 */
export function useTrimPages(threadId: ThreadId) {
  const client = useQueryClient();
  return useCallback(() => {
    client.setQueryData<TranscriptPages>([...transcriptKey(threadId), null], (held) => {
      const isLong = held && held.pages.length > pagesKeptAtEnd && held.pages.at(-1)?.after === 0;
      return isLong
        ? {
            pages: held.pages.slice(-pagesKeptAtEnd),
            pageParams: held.pageParams.slice(-pagesKeptAtEnd),
          }
        : held;
    });
  }, [client, threadId]);
}

const idsOnPath = (page: TranscriptView) =>
  page.items
    .filter(({ message }) => message.kind.type === 'chat' || message.kind.type === 'notice')
    .map(({ message }) => message.id);
