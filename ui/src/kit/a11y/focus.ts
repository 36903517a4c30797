/**
 * Where the focus goes, and whose doing it was.
 */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { restoreFocusTo, currentFocusPosition, setFocusHome } from './restoreFocus';

/**
 * The focus goes to what was opened, and back to where it was when that goes away with it. Not `asked`:
 * nobody opened it, and it is there without the focus.
 */
export function useFocusWhileOpen<Target extends HTMLElement>(asked = true) {
  const target = useRef<Target>(null);
  // What opened it may have left the page by the time that this is in it.
  const [opener] = useState(currentFocusPosition);
  const [takes] = useState(asked);
  useLayoutEffect(
    () => () => {
      restoreFocusTo(opener);
    },
    [opener],
  );
  useEffect(() => {
    if (!takes) return;
    const opened = target.current;
    opened?.focus();
    if (opened instanceof HTMLTextAreaElement) moveCaretToEnd(opened);
  }, [takes]);
  return target;
}

/** What is written is gone on with. */
export function moveCaretToEnd(box: HTMLTextAreaElement) {
  box.setSelectionRange(box.value.length, box.value.length);
}

/** Makes this the place where the focus belongs while nothing else asks for it. */
export function useFocusHome(place: RefObject<HTMLElement | null>) {
  useEffect(() => setFocusHome(place.current), [place]);
}

const navigationKeys = new Set([
  'Tab',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'Home',
  'End',
]);
let isNavigationKeyDown = false;
let wasKeyboardFocus = false;
const trackNavigationKeys = ({ type, key }: KeyboardEvent) => {
  isNavigationKeyDown = type === 'keydown' && navigationKeys.has(key);
};
window.addEventListener('keydown', trackNavigationKeys, true);
window.addEventListener('keyup', trackNavigationKeys, true);
window.addEventListener('focusin', () => (wasKeyboardFocus = isNavigationKeyDown), true);

/**
 * For what appears on focus: whether the person walked to where it is with the keyboard. Where it was
 * put, as a dialog does when it opens and when it closes, nothing is to appear.
 */
export const isKeyboardFocus = () => wasKeyboardFocus;
