/**
 * Whether somebody holds words of the conversation: with the button that is down on them, or marked. What
 * is held is not pulled away from under the pointer, whatever grows below it.
 */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { holdsSelection, watchUserHold } from '../../kit/lists/userHold';

export function useSelectionHold(scroller: RefObject<HTMLElement | null>) {
  const pressed = useRef(false);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      setHeld(pressed.current || hasSelectionIn(element));
    };
    const press = ({ button, target }: PointerEvent) => {
      // What is pressed beside the rows is the bar of the scroller.
      if (button !== 0 || target === element) return;
      pressed.current = true;
      look();
    };
    const release = () => {
      if (!pressed.current) return;
      pressed.current = false;
      look();
    };
    // Not every engine says that the bar of a block of code was let go of.
    const move = ({ buttons }: PointerEvent) => {
      if (buttons === 0) release();
    };
    const unwatch = watchUserHold(look);
    element.addEventListener('pointerdown', press);
    window.addEventListener('pointermove', move, { passive: true });
    window.addEventListener('pointerup', release, true);
    window.addEventListener('pointercancel', release, true);
    return () => {
      unwatch();
      element.removeEventListener('pointerdown', press);
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', release, true);
      window.removeEventListener('pointercancel', release, true);
    };
  }, [scroller]);
  return { isHeld, pressed };
}

/** Words of it are marked, and nobody writes: who does has let go of them, though they stay marked. */
export function hasSelectionIn(element: Element): boolean {
  if (getSelection()?.isCollapsed !== false || !holdsSelection(element)) return false;
  return document.activeElement?.matches('input, textarea') !== true;
}
