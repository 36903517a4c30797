/**
 * The focus goes to what was opened, and back to where it was when that goes away.
 */
import { useEffect, useRef } from 'react';

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
