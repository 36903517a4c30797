/**
 * Scrolls to the matched words inside a message. A message may be a hundred screens long, with the match in a
 * block that is not mounted: all of its blocks stay mounted until the match is in view.
 */
import { useEffect, useEffectEvent, type RefObject } from 'react';
import type { MessageId } from '../../ipc/bindings';
import type { BlockVirtualizer } from '../../markdown/render/blockVirtualization';
import { paintHighlight } from './highlights';
import { findTextRanges } from './textRanges';

export type TextMatchTarget = {
  /** Not empty, nor is any of the words. */
  words: readonly string[];
  /** The number of the match, negative from the end; null: the first where all words follow in order. */
  at: number | null;
};

/**
 * A message to scroll to: to a match in it, or with its top `top` px below that of the view. The same target
 * again is a new object.
 */
export type MessageScrollTarget =
  | { messageId: MessageId; match?: TextMatchTarget; top?: never }
  | { messageId: MessageId; match?: never; top: number };

/** The current match in a message and the number of matches there. */
export type MatchPosition = { messageId: MessageId; at: number; count: number };

/** The view is still when it has not moved for this many frames. */
const restFrames = 3;
/** The scroll ends after this time at the latest, in frames: late images may move the view for long. */
const maxWaitFrames = 90;

type ScrollToMatchOptions = {
  list: RefObject<HTMLElement | null>;
  scroller: RefObject<HTMLElement | null>;
  virtualizer: BlockVirtualizer;
  scrollTarget: MessageScrollTarget | null;
  /** The matches are highlighted. */
  isHighlighted: boolean;
  /** The row has mounted: from now on only this hook scrolls. */
  onRow: () => void;
  /**
   * No visible text has the words: opens the disclosures that contain them, and returns the names of the
   * attached files that do.
   */
  expand: (words: readonly string[]) => readonly string[];
  onMatchPosition: (position: MatchPosition) => void;
};

export function useScrollToMatch(options: ScrollToMatchOptions) {
  const {
    list,
    scroller,
    virtualizer,
    scrollTarget,
    isHighlighted,
    onRow,
    expand,
    onMatchPosition,
  } = options;
  const rowMounted = useEffectEvent(onRow);
  const expandMatches = useEffectEvent(expand);
  const reportPosition = useEffectEvent(onMatchPosition);
  const highlightCurrent = useEffectEvent((ranges: readonly Range[]) => {
    paintHighlight('current-match', isHighlighted ? ranges : [], 1);
  });
  useEffect(() => {
    if (!isHighlighted) paintHighlight('current-match', []);
  }, [isHighlighted]);
  useEffect(() => {
    const root = list.current;
    const view = scroller.current;
    if (!root || !view || !scrollTarget) return;
    const { messageId, match, top } = scrollTarget;
    const scrollToTop = (row: Element, rowTop: number) =>
      scrollUntilStill(view, () => topOf(row) - topOf(root) - view.scrollTop - rowTop);
    const scrollToMatch = (row: Element, { words, at }: TextMatchTarget) => {
      virtualizer.keepVisible(row);
      let reportedCount: number | null = null;
      const distance = () => {
        const matches = findTextRanges(row, words);
        const files = matches.length === 0 ? expandMatches(words) : [];
        const index = matchIndex(matches, { words, at });
        const match = matches[index];
        if (matches.length !== reportedCount) {
          reportPosition({ messageId, at: index, count: matches.length });
        }
        reportedCount = matches.length;
        const ranges = match ? [match] : fileNameRanges(row, files);
        highlightCurrent(ranges);
        return middle(ranges[0] ?? row) - middle(view);
      };
      return scrollUntilStill(view, distance, () => {
        virtualizer.keepVisible(null);
      });
    };
    const begin = (row: Element) => {
      rowMounted();
      // The find bar keeps the focus; a hit of the search in all sessions gives it to the message.
      if (match?.at === null) focusMessage(row);
      if (match) return scrollToMatch(row, match);
      return top === undefined ? () => undefined : scrollToTop(row, top);
    };
    if (!match && top === undefined) return;
    const stop = whenRowMounted(root, messageId, begin);
    return () => {
      stop();
      paintHighlight('current-match', []);
    };
  }, [list, scroller, virtualizer, scrollTarget]);
}

/** Calls `begin` once the row of a message has mounted. The returned function stops the wait or the work. */
function whenRowMounted(
  root: HTMLElement,
  message: MessageId,
  begin: (row: Element) => () => void,
) {
  let stop: (() => void) | null = null;
  const check = () => {
    const row = root.querySelector(`[data-message="${message}"]`);
    if (!row) return;
    observer.disconnect();
    stop = begin(row);
  };
  const observer = new MutationObserver(check);
  observer.observe(root, { childList: true });
  check();
  return () => {
    observer.disconnect();
    stop?.();
  };
}

const userScrollEvents = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls by `distance` px in each frame until the view is still, although rows change their heights
 * meanwhile, or until the user scrolls. The returned function ends it sooner.
 */
function scrollUntilStill(view: HTMLElement, distance: () => number, onStop?: () => void) {
  let stillFrames = 0;
  let framesLeft = maxWaitFrames;
  const step = () => {
    const before = view.scrollTop;
    const px = distance();
    if (Math.abs(px) > 1) view.scrollTop += px;
    stillFrames = view.scrollTop === before ? stillFrames + 1 : 0;
    framesLeft -= 1;
    if (stillFrames < restFrames && framesLeft > 0) frame = requestAnimationFrame(step);
    else stop();
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const type of userScrollEvents) view.removeEventListener(type, stop);
    onStop?.();
  };
  for (const type of userScrollEvents) view.addEventListener(type, stop, { passive: true });
  let frame = requestAnimationFrame(step);
  return stop;
}

/** Focuses the message of a row. It is focusable only until it loses the focus: Tab skips it. */
function focusMessage(row: Element) {
  const message = row.querySelector<HTMLElement>('article');
  if (!message) return;
  message.tabIndex = -1;
  message.addEventListener(
    'blur',
    () => {
      message.removeAttribute('tabindex');
    },
    { once: true },
  );
  message.focus({ preventScroll: true });
}

function fileNameRanges(row: Element, files: readonly string[]): Range[] {
  const attached = [...row.querySelectorAll<HTMLElement>('[data-file]')];
  return attached
    .filter(({ dataset }) => files.includes(dataset.file ?? ''))
    .map((file) => {
      const range = new Range();
      range.selectNodeContents(file);
      return range;
    });
}

const topOf = (element: Element) => element.getBoundingClientRect().top;

function middle(target: Range | Element) {
  const { top, height } = target.getBoundingClientRect();
  return top + height / 2;
}

function matchIndex(matches: readonly Range[], { words, at }: TextMatchTarget): number {
  const { length } = matches;
  if (at !== null) return Math.min(Math.max(at < 0 ? length + at : at, 0), length - 1);
  const texts = matches.map((range) => range.toString());
  const first = texts.findIndex((_, from) =>
    words.every((word, next) => texts[from + next] === word),
  );
  return Math.max(first, 0);
}
