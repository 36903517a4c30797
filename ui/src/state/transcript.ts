/**
 * A thread's messages, in pages around what is looked at, and the reply that is growing.
 */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useBackend } from '../ipc';
import type { MessageId, Page, PageAt, ThreadId } from '../ipc/bindings';
import { keys } from './reading';

const pageSize = 60;

/** Pages of a thread in order; opened at its end, or around a message that was searched for. */
export function useTranscript(threadId: ThreadId, around: MessageId | null) {
  const { commands } = useBackend();
  const first: PageAt = around === null ? { type: 'end' } : { type: 'around', messageId: around };
  return useInfiniteQuery({
    queryKey: [...keys.thread(threadId), 'pages', around],
    queryFn: ({ pageParam }) => commands.transcript(threadId, pageParam, pageSize),
    initialPageParam: first,
    // While other pages are read, what was shown stays.
    placeholderData: keepPreviousData,
    getNextPageParam: (last: Page): PageAt | undefined => {
      const end = onPath(last).at(-1);
      return last.after > 0 && end !== undefined ? { type: 'after', messageId: end } : undefined;
    },
    getPreviousPageParam: (page: Page): PageAt | undefined => {
      const begin = onPath(page)[0];
      return page.before > 0 && begin !== undefined
        ? { type: 'before', messageId: begin }
        : undefined;
    },
  });
}

const onPath = (page: Page) =>
  page.items
    .filter(({ message }) => message.kind.type === 'chat' || message.kind.type === 'notice')
    .map(({ message }) => message.id);
