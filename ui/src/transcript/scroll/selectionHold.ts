/**
 * Detects that the user holds text of the transcript: it is selected, or the mouse button is down
 * on it. The view must not scroll then.
 */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { holdsSelection, watchUserHold } from '../../kit/lists/userHold';

export function useSelectionHold(scroller: RefObject<HTMLElement | null>) {
  const pressed = useRef(false);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const update = () => {
      setHeld(pressed.current || hasSelectionIn(element));
    };
    const onPointerDown = ({ button, target }: PointerEvent) => {
      // The scroller itself is the target of a press on its scroll bar.
      if (button !== 0 || target === element) return;
      pressed.current = true;
      update();
    };
    const onRelease = () => {
      if (!pressed.current) return;
      pressed.current = false;
      update();
    };
    // Not every engine fires pointerup on the scroll bar of a code block.
    const onPointerMove = ({ buttons }: PointerEvent) => {
      if (buttons === 0) onRelease();
    };
    const unwatch = watchUserHold(update);
    element.addEventListener('pointerdown', onPointerDown);
    window.addEventListener('pointermove', onPointerMove, { passive: true });
    window.addEventListener('pointerup', onRelease, true);
    window.addEventListener('pointercancel', onRelease, true);
    return () => {
      unwatch();
      element.removeEventListener('pointerdown', onPointerDown);
      window.removeEventListener('pointermove', onPointerMove);
      window.removeEventListener('pointerup', onRelease, true);
      window.removeEventListener('pointercancel', onRelease, true);
    };
  }, [scroller]);
  return { isHeld, pressed };
}

/** Text inside is selected, and no field has the focus: a selection stays while the user types elsewhere. */
export function hasSelectionIn(element: Element): boolean {
  if (getSelection()?.isCollapsed !== false || !holdsSelection(element)) return false;
  return document.activeElement?.matches('input, textarea') !== true;
}
