import { useState } from 'react';
import { useText } from '../../i18n';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import type { MatchPosition, MessageScrollTarget } from '../../transcript/scroll/scrollToMatch';

const noWords: readonly string[] = [];

export type FindBarState = ReturnType<typeof useFindBar>;

/**
 * The state of the find bar, and the words that the transcript highlights: those of the open bar, else
 * those of the search hit that the user came from, until the next scroll target.
 */
export function useFindBar(scrollTarget: MessageScrollTarget | null) {
  const text = useText();
  /** Counts the shortcuts since the bar was closed; 0: the bar is closed. */
  const [openCount, setOpenCount] = useState(0);
  const [words, setWords] = useState(noWords);
  const [matchPosition, setMatchPosition] = useState<MatchPosition | null>(null);
  useShortcut('Mod+F', text('finding.find'), () => {
    setOpenCount((count) => count + 1);
  });
  const isOpen = openCount > 0;
  const hitWords = scrollTarget?.match?.at === null ? scrollTarget.match.words : noWords;
  return {
    isOpen,
    bar: {
      openCount,
      matchPosition,
      onHighlight: setWords,
      onClose: () => {
        setOpenCount(0);
        setWords(noWords);
      },
    },
    highlighted: isOpen ? words : hitWords,
    setMatchPosition,
  };
}
