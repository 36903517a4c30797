/**
 * Leads to the words a message was gone to for, not only to the message: it may be a hundred screens
 * long, with the words in what is not in the page. All of it is shown while they are looked for, and what
 * is far leaves again once they are in view.
 */
import { useEffect, useEffectEvent, type RefObject } from 'react';
import type { MessageId } from '../ipc/bindings';
import type { Reach } from '../markdown/reach';
import { paint } from './marks';
import { rangesOf } from './ranges';

/** What a message is gone to for. */
export type Sought = {
  /** Not empty, nor is any of them. */
  words: readonly string[];
  /** Which of their places in it, from its end where negative; null: where they follow one another so. */
  at: number | null;
};

/** A message that is gone to; the same again is a new object. */
export type Goal = { messageId: MessageId; sought?: Sought };

/** Which of how many places in a message is looked at. */
export type Places = { messageId: MessageId; at: number; count: number };

/** It is at rest when it has stood still for so many frames. */
const still = 3;
/** Longer than this nothing is waited for, in frames: what is loaded late has to be scrolled to. */
const patience = 90;

type Seeking = {
  list: RefObject<HTMLElement | null>;
  scroller: RefObject<HTMLElement | null>;
  reach: Reach;
  spot: Goal | null;
  /** The row is there: from now on nobody else scrolls. */
  onRow: () => void;
  /** The words are in nothing that is seen: opens what holds them, where something does. */
  unfold: (words: readonly string[]) => void;
  onPlaces: (places: Places) => void;
};

export function useSeeking({ list, scroller, reach, spot, onRow, unfold, onPlaces }: Seeking) {
  const arrive = useEffectEvent(onRow);
  const open = useEffectEvent(unfold);
  const tell = useEffectEvent(onPlaces);
  useEffect(() => {
    const root = list.current;
    const view = scroller.current;
    if (!root || !view || !spot?.sought) return;
    const { messageId, sought } = spot;
    const end = whenThere(root, messageId, (row) => {
      arrive();
      reach.hold(row);
      let known: number | null = null;
      const look = () => {
        const found = rangesOf(row, sought.words);
        if (found.length === 0) open(sought.words);
        const at = placeOf(found, sought);
        const here = found[at];
        if (found.length !== known) tell({ messageId, at, count: found.length });
        known = found.length;
        paint('sought-here', here ? [here] : [], 1);
        return here ?? row;
      };
      return comeToRest(view, look, () => {
        reach.hold(null);
      });
    });
    return () => {
      end();
      paint('sought-here', []);
    };
  }, [list, scroller, reach, spot]);
}

/** Begins once the row of a message is in the page; the function it returns ends what was begun. */
function whenThere(root: HTMLElement, message: MessageId, begin: (row: Element) => () => void) {
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

const acts = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls until the middle of what is looked for stands in the middle of the view, however all around
 * it moves meanwhile, or until the person scrolls. The function it returns ends it sooner.
 */
function comeToRest(view: HTMLElement, look: () => Range | Element, onRest: () => void) {
  let rested = 0;
  let left = patience;
  const step = () => {
    const before = view.scrollTop;
    const off = middle(look()) - middle(view);
    if (Math.abs(off) > 1) view.scrollTop += off;
    rested = view.scrollTop === before ? rested + 1 : 0;
    left -= 1;
    if (rested < still && left > 0) frame = requestAnimationFrame(step);
    else stop();
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const act of acts) view.removeEventListener(act, stop);
    onRest();
  };
  for (const act of acts) view.addEventListener(act, stop, { passive: true });
  let frame = requestAnimationFrame(step);
  return stop;
}

function middle(place: Range | Element) {
  const { top, height } = place.getBoundingClientRect();
  return top + height / 2;
}

function placeOf(found: readonly Range[], { words, at }: Sought): number {
  if (at !== null) return Math.min(Math.max(at < 0 ? found.length + at : at, 0), found.length - 1);
  const texts = found.map((range) => range.toString());
  const first = texts.findIndex((_, from) =>
    words.every((word, next) => texts[from + next] === word),
  );
  return Math.max(first, 0);
}
