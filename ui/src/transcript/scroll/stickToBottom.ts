/**
 * Keeps the view at the end of the transcript while rows grow, as long as the user is there. It stops when
 * the user scrolls up, opens a disclosure (its line stays under the pointer), or selects text that would
 * leave the view.
 */
import { useRef, useState, type RefObject } from 'react';
import { hasSelectionIn, useSelectionHold } from './selectionHold';

/** A view this close to the end counts as at the end, in px. */
const nearEndPx = 48;

/**
 * WebKit scrolls smoothly: for this long after a jump to the end or an opened disclosure, an earlier scroll
 * may still move the view, in ms.
 */
const momentumMs = 300;

/** Rows that are measured again leave the view at most this far above the end, in px. */
const remeasureSlackPx = 8;

/** The part of the view that a page key scrolls: the last lines stay visible. */
const pageShare = 0.9;

const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Controls that make their row higher. Those that open an overlay do not. */
const disclosureSelector =
  '[aria-expanded]:not([aria-haspopup], [data-menu-trigger]), [aria-pressed], [data-opens]';

type ScrollKeyPress = { key: string; shiftKey: boolean; target: EventTarget };

const pxBelowView = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) =>
  scrollHeight - scrollTop - clientHeight;

export const isScrolledToEnd = (element: HTMLElement) => pxBelowView(element) < nearEndPx;

const isRecent = (time: number) => performance.now() - time < momentumMs;

type StickyScroll = {
  scroller: RefObject<HTMLDivElement | null>;
  /** Read by event handlers, which run before the state has rendered. */
  sticking: RefObject<boolean>;
  setSticking: (next: boolean) => void;
  /** The mouse button is down in the transcript. */
  pressed: RefObject<boolean>;
  lastScrollTop: RefObject<number>;
  /** The time of the last jump to the end; -Infinity: the user has turned the wheel since. */
  jumpedAt: RefObject<number>;
  /** The time when the last disclosure was opened; -Infinity: the user has turned the wheel since. */
  openedAt: RefObject<number>;
};

/** Scrolls to the end, unless the user holds a selection or the mouse button. */
function scrollIfSticking({ scroller, sticking, setSticking, pressed }: StickyScroll) {
  const element = scroller.current;
  if (!element || !sticking.current) return;
  const isSelecting = hasSelectionIn(element);
  if (!isSelecting && !pressed.current) element.scrollTop = element.scrollHeight;
  // Rows grew below the selected text.
  else if (isSelecting && !isScrolledToEnd(element)) setSticking(false);
}

function stopSticking({ jumpedAt, lastScrollTop, setSticking }: StickyScroll) {
  jumpedAt.current = -Infinity;
  if (lastScrollTop.current > 0) setSticking(false);
}

/**
 * The user leaves the end upwards and comes back downwards. Any other movement, as from rows that grow, is
 * corrected.
 */
function handleScroll(scroll: StickyScroll, element: HTMLElement, toTheEnd: boolean) {
  const { sticking, setSticking, lastScrollTop, jumpedAt, openedAt } = scroll;
  const moved = element.scrollTop - lastScrollTop.current;
  lastScrollTop.current = element.scrollTop;
  if (moved < 0 && pxBelowView(element) > 1) {
    // Rows that are measured again leave the end a few px below. A wheel or a key that scrolls up has a
    // handler of its own.
    const isNear = sticking.current && pxBelowView(element) < remeasureSlackPx;
    if (!isRecent(jumpedAt.current) && !isNear) setSticking(false);
  }
  // The end of the loaded pages is not the end of the thread.
  else if (moved !== 0 && toTheEnd && isScrolledToEnd(element)) {
    // A smooth scroll that began before a disclosure opened is not the user going to the end.
    if (moved < 0 || !isRecent(openedAt.current)) setSticking(true);
  }
  if (pxBelowView(element) > 1) scrollIfSticking(scroll);
}

/** The wheel scrolls over several frames; sticking would undo each of them. */
function handleWheel(scroll: StickyScroll, deltaY: number) {
  scroll.jumpedAt.current = -Infinity;
  scroll.openedAt.current = -Infinity;
  if (deltaY < 0) stopSticking(scroll);
}

function handleKey(scroll: StickyScroll, { key, shiftKey, target }: ScrollKeyPress) {
  const scrollsUp = upwardKeys.has(key) || (key === ' ' && shiftKey);
  const inField = target instanceof Element && target.matches('input, textarea, select');
  if (scrollsUp && !inField) stopSticking(scroll);
}

/** The pressed line stays where it is; the content that it opens grows below it. */
function handleDisclosure(scroll: StickyScroll, target: EventTarget) {
  const { scroller, sticking, setSticking, openedAt } = scroll;
  const control = target instanceof Element ? target.closest(disclosureSelector) : null;
  if (!control || !sticking.current) return;
  openedAt.current = performance.now();
  setSticking(false);
  // An image loads later.
  if (control.closest('.Markdown-picture')) return;
  requestAnimationFrame(() => {
    const element = scroller.current;
    // The content fits into the view, or the disclosure was closed.
    if (element && pxBelowView(element) <= 1) setSticking(true);
  });
}

function scrollByPage(scroll: StickyScroll, by: 1 | -1) {
  const element = scroll.scroller.current;
  if (!element) return;
  if (by < 0) stopSticking(scroll);
  element.scrollTop += by * pageShare * element.clientHeight;
}

function jumpToEnd({ scroller, setSticking, jumpedAt }: StickyScroll) {
  setSticking(true);
  jumpedAt.current = performance.now();
  const element = scroller.current;
  if (element) element.scrollTop = element.scrollHeight;
}

export function useStickToBottom(initiallySticking: boolean) {
  const scroller = useRef<HTMLDivElement>(null);
  const sticking = useRef(initiallySticking);
  const [stickingState, setStickingState] = useState(initiallySticking);
  const lastScrollTop = useRef(0);
  const jumpedAt = useRef(-Infinity);
  const openedAt = useRef(-Infinity);
  const { isHeld, pressed } = useSelectionHold(scroller);

  const setSticking = (next: boolean) => {
    sticking.current = next;
    setStickingState(next);
  };
  const scroll = { scroller, sticking, setSticking, pressed, lastScrollTop, jumpedAt, openedAt };

  return {
    scroller,
    /** True if the virtualizer may scroll to the end by itself. */
    isSticky: stickingState && !isHeld,
    isHeld,
    isSticking: () => sticking.current,
    setSticking,
    scrollIfSticking: () => {
      scrollIfSticking(scroll);
    },
    handleScroll: (element: HTMLElement, toTheEnd: boolean) => {
      handleScroll(scroll, element, toTheEnd);
    },
    onWheel: ({ deltaY }: { deltaY: number }) => {
      handleWheel(scroll, deltaY);
    },
    onKeyDown: (press: ScrollKeyPress) => {
      handleKey(scroll, press);
    },
    onClickCapture: ({ target }: { target: EventTarget }) => {
      handleDisclosure(scroll, target);
    },
    /** Scrolls by a page, for keys that are pressed in the composer. */
    toPage: (by: 1 | -1) => {
      scrollByPage(scroll, by);
    },
    toEnd: () => {
      jumpToEnd(scroll);
    },
  };
}
