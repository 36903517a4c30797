/**
 * Where the focus goes, and whose doing it was.
 */
import { useEffect, useRef, type RefObject } from 'react';

/** The focus goes to what was opened, and back to where it was when that goes away. */
export function useFocusWhileOpen<Target extends HTMLElement>() {
  const target = useRef<Target>(null);
  useEffect(() => {
    const before = document.activeElement;
    const opened = target.current;
    opened?.focus();
    // What is there is gone on with: the caret goes to its end.
    if (opened instanceof HTMLTextAreaElement)
      opened.setSelectionRange(opened.value.length, opened.value.length);
    return () => {
      // Who has moved on since is not called back.
      const lost = document.activeElement === document.body || opened?.isConnected === false;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return target;
}

let home: HTMLElement | null = null;

/** Makes this the place where the focus belongs while nothing else asks for it. */
export function useFocusHome(place: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const here = place.current;
    home = here;
    return () => {
      if (home === here) home = null;
    };
  }, [place]);
}

/** For a control that goes away with what it did: the focus goes where it belongs. */
export function focusHome() {
  home?.focus();
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
