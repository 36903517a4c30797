/**
 * The queries of the find bar.
 */
import { useQuery } from '@tanstack/react-query';
import { useBackend } from '../../ipc';
import type { MessageId, ThreadId } from '../../ipc/bindings';
import { optional, queryKeys } from '../../state/queries/queries';
import { searchMessages } from '../../state/queries/searchMessages';
import { maxSearchHits } from '../../state/app/searchLimits';

/**
 * The messages of a thread that contain the text, the newest first. `found` is undefined for an empty text,
 * and keeps the previous result until the new one arrives (`isCurrent`).
 */
export function useFindInThread(threadId: ThreadId, searchText: string) {
  const { commands } = useBackend();
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.thread(threadId), 'find', searchText],
    // Quotes make the search look for the words in this order.
    queryFn: ({ signal }) =>
      searchMessages(commands, signal, `"${searchText.replaceAll('"', ' ')}"`, threadId),
    enabled: searchText !== '',
    placeholderData: (previous) => previous,
    ...optional,
  });
  const hits = searchText === '' ? undefined : data;
  const found = hits
    ?.flatMap(({ place }) => place ?? [])
    .sort((one, other) => other.messageNumber - one.messageNumber)
    .map(({ messageId }) => messageId);
  return { found, isCurrent: !isPlaceholderData, hasMore: (hits?.length ?? 0) >= maxSearchHits };
}

/** True if a message is on the shown branch of the thread; undefined: not known yet. */
export function useIsOnShownBranch(threadId: ThreadId, message: MessageId | undefined) {
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...queryKeys.thread(threadId), 'isShown', message],
    queryFn: async () => {
      if (message === undefined) return false;
      // For a message of another branch the page holds the nearest message of the shown one.
      const page = await commands.transcript(threadId, { type: 'around', messageId: message }, 1);
      return page.items.some((item) => item.message.id === message);
    },
    enabled: message !== undefined,
    ...optional,
  });
  return data;
}
