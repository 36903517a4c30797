/**
 * The box as it stands in the window: as high as what is written in it (where it ends to grow is said by
 * its style), and ready to be written in as soon as its session opens.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { caretToEnd, useFocusHome } from '../kit/focus';
import { topLayer } from '../kit/layers';

function fit(element: HTMLTextAreaElement) {
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}

export function useBox(words: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (box.current) fit(box.current);
  }, [words]);
  // The lines break elsewhere in another width: the window's, the sidebar's, or zoomed.
  useEffect(() => {
    const element = box.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    let { clientWidth: width } = element;
    const resized = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      fit(element);
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
    caretToEnd(element);
    const isWriting = document.activeElement?.matches('input, textarea') === true;
    if (!isWriting && topLayer() === null) element.focus();
  }, []);
  useFocusHome(box);
  return box;
}
