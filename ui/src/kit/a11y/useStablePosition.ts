/**
 * Protects a question from accidental answers: a click or key press on a control that has just
 * appeared or moved under the pointer answers nothing.
 */
import { useEffect, useState, type RefObject } from 'react';

/** The time that a control stands still before it takes an answer, in ms. */
export const stableForMs = 500;

const pollMs = 100;

const rectKey = (element: Element | null) => {
  const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return [left, top, width, height].join(' ');
};

/** Returns a function that runs `answer` only if the control has stood still long enough. */
export function useStablePosition(place: RefObject<Element | null>) {
  const [watch] = useState(createPositionWatch);
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    watch.appear(place.current);
    const look = () => {
      setSettled(watch.isSettled(place.current));
    };
    // For a user who comes back to a hidden app window, the question has just appeared.
    const onSight = () => {
      watch.appear(place.current);
      look();
    };
    const timer = setInterval(look, pollMs);
    document.addEventListener('visibilitychange', onSight);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onSight);
    };
  }, [watch, place]);
  const answer = (act: () => void) => {
    if (watch.isSettled(place.current)) act();
  };
  return { settled, answer };
}

/** The time of the last movement, as far as it was observed. */
function createPositionWatch() {
  let at = '';
  let since = Infinity;
  return {
    appear: (element: Element | null) => {
      at = rectKey(element);
      since = performance.now();
    },
    isSettled: (element: Element | null) => {
      const now = rectKey(element);
      if (now !== at) since = performance.now();
      at = now;
      return performance.now() - since >= stableForMs;
    },
  };
}
