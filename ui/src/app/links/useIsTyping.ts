/** Detects that the user is typing, so that the focus is not taken from them. */
import { useEffect, useRef } from 'react';

/** The longest pause between two keys, in ms. */
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
