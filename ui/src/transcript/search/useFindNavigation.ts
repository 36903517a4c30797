/**
 * The current match of the find bar: the newest one after each change of the query, then the one that the
 * user steps to.
 */
import { useEffect, useState } from 'react';
import type { MessageId, ThreadId } from '../../ipc/bindings';
import { useComposedText } from '../../kit/keyboard/useComposedText';
import { useDebounced } from '../../state/hooks/useDebounced';
import { searchRestMs } from '../../state/app/searchLimits';
import type { MessageScrollTarget, MatchPosition } from '../scroll/scrollToMatch';
import { useFindInThread, useIsOnShownBranch } from './useFindInThread';

/** `message`: undefined if nothing was found. `at`: the match in it; negative: counted from its end. */
type FindTarget = { message: MessageId | undefined; at: number; words: readonly string[] };

type FindNavigationOptions = {
  threadId: ThreadId;
  query: string;
  matchPosition: MatchPosition | null;
  onHighlight: (words: readonly string[]) => void;
  onJump: (target: MessageScrollTarget) => void;
};

export function useFindNavigation(options: FindNavigationOptions) {
  const { threadId, query, onHighlight, onJump } = options;
  /** The same message again is a new object. null: the query was not answered yet. */
  const [target, setTarget] = useState<FindTarget | null>(null);
  const searchText = useDebounced(useComposedText(query).trim(), searchRestMs);
  const { found, isCurrent, hasMore } = useFindInThread(threadId, searchText);
  const count = found?.length ?? 0;
  const index = Math.max(0, found?.indexOf(target?.message ?? -1) ?? 0);
  const goTo = (message: MessageId | undefined, at: number) => {
    setTarget({ message, at, words: [searchText] });
  };
  // Only a new query and a step scroll, not a result that changes while messages arrive.
  if (target === null && found && isCurrent && searchText === query.trim()) goTo(found[0], -1);
  const messageId = target?.message;
  const position = options.matchPosition?.messageId === messageId ? options.matchPosition : null;
  const isShown = useIsOnShownBranch(threadId, messageId);

  useEffect(() => {
    onHighlight(searchText === '' ? [] : [searchText]);
  }, [searchText, onHighlight]);
  useEffect(() => {
    if (target?.message === undefined || !isShown) return;
    const { message, at, words } = target;
    onJump({ messageId: message, match: { words, at } });
  }, [target, isShown, onJump]);

  return {
    found,
    hasMore,
    index,
    messageId,
    isShown,
    /** Where in the current message the match is; null: not known yet. */
    position,
    /** Moves to an older (1) or newer (-1) match, first inside the current message. */
    step: (by: 1 | -1) => {
      const next = (position?.at ?? 0) - by;
      if (position && next >= 0 && next < position.count) goTo(messageId, next);
      else goTo(found?.[(index + by + count) % count], by > 0 ? -1 : 0);
    },
    /** Starts again with the newest match. */
    reset: () => {
      setTarget(null);
    },
  };
}
