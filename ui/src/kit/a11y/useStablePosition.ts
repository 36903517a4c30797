/**
 * Whether something that asks has stood still long enough to have been read: what appears or moves under the
 * pointer, or under a key that is just being pressed, is answered by nobody.
 */
import { useEffect, useState, type RefObject } from 'react';

/** How long it stands still before it takes an answer, in ms. */
export const stableForMs = 500;

/** How often it is looked at, in ms. */
const pollMs = 100;

const rectKey = (element: Element | null) => {
  const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return [left, top, width, height].join(' ');
};

/** Whether it takes an answer now; `answer` does something if it still stands there, else nothing. */
export function useStablePosition(place: RefObject<Element | null>) {
  const [watch] = useState(createPositionWatch);
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    watch.appear(place.current);
    const look = () => {
      setSettled(watch.isSettled(place.current));
    };
    // It appears to whoever comes back to a window that was out of sight.
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

/** When it last moved, as far as it was looked at. */
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
