/**
 * Whether the end of the conversation is followed: while the person is there, until they go up, open
 * something whose line is to stay where it was pressed, or mark words that would go out of view.
 */
import { useRef, useState } from 'react';
import { hasSelectionIn, useSelectionHold } from './selectionHold';

/** So many px from its end are still its end. */
const nearEndPx = 48;

/**
 * So many ms after somebody was led to the end, a key from before may still move it: WebKit scrolls
 * smoothly. For as long what was said before somebody opened something may still be scrolled to.
 */
const momentumMs = 300;

/** By so many px, and no more, rows that are measured anew leave the view above its end. */
const remeasureSlackPx = 8;

/** So much of the view is scrolled by a page: the last lines are seen again. */
const pageShare = 0.9;

/** The keys that scroll upward. */
const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/** What makes its row higher where it is pressed. What opens over the window does not. */
const disclosureSelector = '[aria-expanded]:not([aria-haspopup]), [aria-pressed], [data-opens]';

type ScrollKeyPress = { key: string; shiftKey: boolean; target: EventTarget };

/** So many px of it are below what is in view. */
const pxBelowView = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight;

export const isScrolledToEnd = (element: HTMLElement) => pxBelowView(element) < nearEndPx;

const isRecent = (time: number) => performance.now() - time < momentumMs;

export function useStickToBottom(fromItsEnd: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(fromItsEnd);
  const [follows, setFollows] = useState(fromItsEnd);
  const top = useRef(0);
  /** When somebody was led to the end, and has not moved the wheel since. */
  const ledToEnd = useRef(-Infinity);
  /** When somebody opened something, and has not moved the wheel since. */
  const opened = useRef(-Infinity);
  const { isHeld, pressed } = useSelectionHold(scroller);

  const follow = (on: boolean) => {
    following.current = on;
    setFollows(on);
  };
  /** To its end where that is followed, unless somebody holds something meanwhile. */
  const pull = () => {
    const element = scroller.current;
    if (!element || !following.current) return;
    const isMarked = hasSelectionIn(element);
    if (!isMarked && !pressed.current) element.scrollTop = element.scrollHeight;
    // What grew beside the words they hold has left them behind.
    else if (isMarked && !isScrolledToEnd(element)) follow(false);
  };
  const goUp = () => {
    ledToEnd.current = -Infinity;
    if (top.current > 0) follow(false);
  };

  return {
    scroller,
    /** Also for what scrolls by itself: it follows, and nobody holds anything. */
    pulls: follows && !isHeld,
    isHeld,
    isFollowing: () => following.current,
    follow,
    pull,
    scrolled: (element: HTMLElement, toTheEnd: boolean) => {
      // Whoever leaves the end goes up, and who comes back goes down. What else moves it away, as it grows
      // or gives room to what stands below, is followed in a moment.
      const moved = element.scrollTop - top.current;
      top.current = element.scrollTop;
      if (moved < 0 && pxBelowView(element) > 1) {
        // Rows that are measured anew keep their place by themselves, which leaves the end some px below. The
        // wheel and the keys say themselves that somebody goes up.
        const isNear = following.current && pxBelowView(element) < remeasureSlackPx;
        if (!isRecent(ledToEnd.current) && !isNear) follow(false);
      }
      // Who is at the end of what was read of a longer thread follows only what was followed before.
      else if (moved !== 0 && toTheEnd && isScrolledToEnd(element)) {
        // What was on its way there when something was opened comes no nearer.
        if (moved < 0 || !isRecent(opened.current)) follow(true);
      }
      if (pxBelowView(element) > 1) pull();
    },
    /** The wheel moves it over several frames, and what grows meanwhile would take each of them back. */
    onWheel: ({ deltaY }: { deltaY: number }) => {
      ledToEnd.current = -Infinity;
      opened.current = -Infinity;
      if (deltaY < 0) goUp();
    },
    /** So do the keys that go up, where they are not those of a field. */
    onKeyDown: ({ key, shiftKey, target }: ScrollKeyPress) => {
      const goesUp = upwardKeys.has(key) || (key === ' ' && shiftKey);
      const inField = target instanceof Element && target.matches('input, textarea, select');
      if (goesUp && !inField) goUp();
    },
    /** The line that is pressed stays where it is: what it opens grows below it, out of view. */
    onClickCapture: ({ target }: { target: EventTarget }) => {
      const control = target instanceof Element ? target.closest(disclosureSelector) : null;
      if (!control || !following.current) return;
      opened.current = performance.now();
      follow(false);
      // A picture comes only later.
      if (control.closest('.Markdown-picture')) return;
      requestAnimationFrame(() => {
        const element = scroller.current;
        // All of it is in view, or it was closed.
        if (element && pxBelowView(element) <= 1) follow(true);
      });
    },
    /** A page up or down, for keys that are pressed elsewhere. */
    toPage: (by: 1 | -1) => {
      const element = scroller.current;
      if (!element) return;
      if (by < 0) goUp();
      element.scrollTop += by * pageShare * element.clientHeight;
    },
    toEnd: () => {
      follow(true);
      ledToEnd.current = performance.now();
      const element = scroller.current;
      if (element) element.scrollTop = element.scrollHeight;
    },
  };
}
