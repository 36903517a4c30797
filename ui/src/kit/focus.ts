/**
 * Where the focus goes, and whose doing it was.
 */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { goBack, placeNow, setHome } from './lostFocus';

/**
 * The focus goes to what was opened, and back to where it was when that goes away with it. Not `asked`:
 * nobody opened it, and it is there without the focus.
 */
export function useFocusWhileOpen<Target extends HTMLElement>(asked = true) {
  const target = useRef<Target>(null);
  // What opened it may have left the page by the time that this is in it.
  const [opener] = useState(placeNow);
  const [takes] = useState(asked);
  useLayoutEffect(
    () => () => {
      goBack(opener);
    },
    [opener],
  );
  useEffect(() => {
    if (!takes) return;
    const opened = target.current;
    opened?.focus();
    if (opened instanceof HTMLTextAreaElement) caretToEnd(opened);
  }, [takes]);
  return target;
}

/** What is written is gone on with. */
export function caretToEnd(box: HTMLTextAreaElement) {
  box.setSelectionRange(box.value.length, box.value.length);
}

/** Makes this the place where the focus belongs while nothing else asks for it. */
export function useFocusHome(place: RefObject<HTMLElement | null>) {
  useEffect(() => setHome(place.current), [place]);
}

const steps = new Set(['Tab', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']);
let walking = false;
let walked = false;
const hear = ({ type, key }: KeyboardEvent) => {
  walking = type === 'keydown' && steps.has(key);
};
window.addEventListener('keydown', hear, true);
window.addEventListener('keyup', hear, true);
window.addEventListener('focusin', () => (walked = walking), true);

/**
 * For what appears on focus: whether the person walked to where it is with the keyboard. Where it was
 * put, as a dialog does when it opens and when it closes, nothing is to appear.
 */
export const focusWalked = () => walked;
