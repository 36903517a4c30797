/**
 * The textarea of the composer: as high as its text (its style sets the maximum), and focused as soon as its
 * session opens.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { moveCaretToEnd, useFocusHome } from '../kit/a11y/focus';
import { topOverlay } from '../kit/layers/overlayStack';

function fitHeight(element: HTMLTextAreaElement) {
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}

export function useAutosize(value: string) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (textarea.current) fitHeight(textarea.current);
  }, [value]);
  // In another width the lines break elsewhere.
  useEffect(() => {
    const element = textarea.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    let { clientWidth: width } = element;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fitHeight(element);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);
  useEffect(() => {
    const element = textarea.current;
    if (!element) return;
    // Also for a focus that comes later.
    moveCaretToEnd(element);
    const isTypingElsewhere = document.activeElement?.matches('input, textarea') === true;
    if (!isTypingElsewhere && topOverlay() === null) element.focus();
  }, []);
  useFocusHome(textarea);
  return textarea;
}
