/**
 * The box as it stands in the window: as high as what is written in it (where it ends to grow is said by
 * its style), and ready to be written in as soon as its session opens.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { moveCaretToEnd, useFocusHome } from '../kit/a11y/focus';
import { topOverlay } from '../kit/layers/overlayStack';

function fitHeight(element: HTMLTextAreaElement) {
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}

export function useAutosize(words: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (box.current) fitHeight(box.current);
  }, [words]);
  // The lines break elsewhere in another width: the window's, the sidebar's, or zoomed.
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    let { clientWidth: width } = element;
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fitHeight(element);
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // Also where the focus comes to it later.
    moveCaretToEnd(element);
    const isWriting = document.activeElement?.matches('input, textarea') === true;
    if (!isWriting && topOverlay() === null) element.focus();
  }, []);
  useFocusHome(box);
  return box;
}
