/**
 * Moves the focus, and tells whether it was moved by the keyboard.
 */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { restoreFocusTo, currentFocusPosition, setFocusHome } from './restoreFocus';

/**
 * Focuses an element while it is mounted; when it unmounts, the focus goes back to where it was. With
 * `asked` false the element does not take the focus.
 */
export function useFocusWhileOpen<Target extends HTMLElement>(asked = true) {
  const target = useRef<Target>(null);
  // The opener may have unmounted by the time that this element mounts.
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

export function moveCaretToEnd(box: HTMLTextAreaElement) {
  box.setSelectionRange(box.value.length, box.value.length);
}

/** Registers the element as the focus home: it gets the focus when the focused control disappears. */
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
 * For tooltips and hover cards, which appear on focus: whether the user moved the focus with the keyboard.
 * A focus that a dialog sets when it opens or closes shows nothing.
 */
export const isKeyboardFocus = () => wasKeyboardFocus;
