/**
 * Whether somebody is typing at this moment: who does would go on in whatever takes the focus.
 */
import { useEffect, useRef } from 'react';

/** How long a pause between two keys may be, in ms. */
const typingPauseMs = 3_000;

export function useIsTyping() {
  const last = useRef(-Infinity);
  useEffect(() => {
    const onInput = () => {
      last.current = performance.now();
    };
    window.addEventListener('input', onInput, true);
    return () => {
      window.removeEventListener('input', onInput, true);
    };
  }, []);
  return () => performance.now() - last.current < typingPauseMs;
}
