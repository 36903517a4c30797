/**
 * Leads to the words a message was gone to for, not only to the message: it may be a hundred screens
 * long, with the words in what is not in the page. All of it is shown while they are looked for, and what
 * is far leaves again once they are in view.
 */
import { useEffect, useEffectEvent, type RefObject } from 'react';
import type { MessageId } from '../../ipc/bindings';
import type { BlockVirtualizer } from '../../markdown/render/blockVirtualization';
import { paintHighlight } from './highlights';
import { findTextRanges } from './textRanges';

/** What a message is gone to for. */
export type TextMatchTarget = {
  /** Not empty, nor is any of them. */
  words: readonly string[];
  /** Which of their places in it, from its end where negative; null: where they follow one another so. */
  at: number | null;
};

/**
 * A message that is gone to, for its words, or back to where it was read: its top stands so many px below
 * that of the view. The same again is a new object.
 */
export type MessageScrollTarget =
  | { messageId: MessageId; match?: TextMatchTarget; top?: never }
  | { messageId: MessageId; match?: never; top: number };

/** Which of how many places in a message is looked at. */
export type MatchPosition = { messageId: MessageId; at: number; count: number };

/** It is at rest when it has stood still for so many frames. */
const restFrames = 3;
/** Longer than this nothing is waited for, in frames: what is loaded late has to be scrolled to. */
const maxWaitFrames = 90;

type ScrollToMatchOptions = {
  list: RefObject<HTMLElement | null>;
  scroller: RefObject<HTMLElement | null>;
  virtualizer: BlockVirtualizer;
  scrollTarget: MessageScrollTarget | null;
  /** The matches are highlighted. Without highlights nobody looks for the words. */
  isHighlighted: boolean;
  /** The row is there: from now on nobody else scrolls. */
  onRow: () => void;
  /**
   * The words are in nothing that is seen: opens what holds them, where something does, and says in which
   * files that came along they stand.
   */
  expand: (words: readonly string[]) => readonly string[];
  onMatchPosition: (places: MatchPosition) => void;
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
  const arrive = useEffectEvent(onRow);
  const open = useEffectEvent(expand);
  const tell = useEffectEvent(onMatchPosition);
  const underline = useEffectEvent((here: readonly Range[]) => {
    paintHighlight('current-match', isHighlighted ? here : [], 1);
  });
  useEffect(() => {
    if (!isHighlighted) paintHighlight('current-match', []);
  }, [isHighlighted]);
  useEffect(() => {
    const root = list.current;
    const view = scroller.current;
    if (!root || !view || !scrollTarget) return;
    const { messageId, match, top } = scrollTarget;
    const toPlace = (row: Element, place: number) =>
      scrollUntilStill(view, () => topOf(row) - topOf(root) - view.scrollTop - place);
    const toWords = (row: Element, { words, at }: TextMatchTarget) => {
      virtualizer.keepVisible(row);
      let known: number | null = null;
      const look = () => {
        const found = findTextRanges(row, words);
        const files = found.length === 0 ? open(words) : [];
        const which = matchIndex(found, { words, at });
        const here = found[which];
        if (found.length !== known) tell({ messageId, at: which, count: found.length });
        known = found.length;
        const named = here ? [here] : fileNameRanges(row, files);
        underline(named);
        return middle(named[0] ?? row) - middle(view);
      };
      return scrollUntilStill(view, look, () => {
        virtualizer.keepVisible(null);
      });
    };
    const come = (row: Element) => {
      arrive();
      // The find bar keeps the focus; what a search led to is gone on from.
      if (match?.at === null) focusMessage(row);
      if (match) return toWords(row, match);
      return top === undefined ? () => undefined : toPlace(row, top);
    };
    if (!match && top === undefined) return;
    const end = whenRowMounted(root, messageId, come);
    return () => {
      end();
      paintHighlight('current-match', []);
    };
  }, [list, scroller, virtualizer, scrollTarget]);
}

/** Begins once the row of a message is in the page; the function it returns ends what was begun. */
function whenRowMounted(
  root: HTMLElement,
  message: MessageId,
  begin: (row: Element) => () => void,
) {
  let end: (() => void) | null = null;
  const look = () => {
    const row = root.querySelector(`[data-message="${message}"]`);
    if (!row) return;
    watcher.disconnect();
    end = begin(row);
  };
  const watcher = new MutationObserver(look);
  watcher.observe(root, { childList: true });
  look();
  return () => {
    watcher.disconnect();
    end?.();
  };
}

const userScrollEvents = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls until what is looked for is no px off, however all around it moves meanwhile, or until the person
 * scrolls. The function it returns ends it sooner.
 */
function scrollUntilStill(view: HTMLElement, offBy: () => number, onRest?: () => void) {
  let rested = 0;
  let left = maxWaitFrames;
  const step = () => {
    const before = view.scrollTop;
    const off = offBy();
    if (Math.abs(off) > 1) view.scrollTop += off;
    rested = view.scrollTop === before ? rested + 1 : 0;
    left -= 1;
    if (rested < restFrames && left > 0) frame = requestAnimationFrame(step);
    else stop();
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const act of userScrollEvents) view.removeEventListener(act, stop);
    onRest?.();
  };
  for (const act of userScrollEvents) view.addEventListener(act, stop, { passive: true });
  let frame = requestAnimationFrame(step);
  return stop;
}

/** The focus goes to the message of a row, which is no stop of the Tab key afterwards. */
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

/** Where the names of these files stand in a row. */
function fileNameRanges(row: Element, files: readonly string[]): Range[] {
  const along = [...row.querySelectorAll<HTMLElement>('[data-file]')];
  return along
    .filter(({ dataset }) => files.includes(dataset.file ?? ''))
    .map((file) => {
      const range = new Range();
      range.selectNodeContents(file);
      return range;
    });
}

const topOf = (element: Element) => element.getBoundingClientRect().top;

function middle(place: Range | Element) {
  const { top, height } = place.getBoundingClientRect();
  return top + height / 2;
}

function matchIndex(found: readonly Range[], { words, at }: TextMatchTarget): number {
  if (at !== null) return Math.min(Math.max(at < 0 ? found.length + at : at, 0), found.length - 1);
  const texts = found.map((range) => range.toString());
  const first = texts.findIndex((_, from) =>
    words.every((word, next) => texts[from + next] === word),
  );
  return Math.max(first, 0);
}
