/**
 * The box as it stands in the window: as high as what is written in it (where it ends to grow is said by
 * its style), and ready to be written in as soon as its session opens.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useFocusHome } from '../kit/focus';
import { topLayer } from '../kit/layers';

export function useBox(words: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [words]);
  useEffect(() => {
    const isWriting = document.activeElement?.matches('input, textarea') === true;
    if (!isWriting && topLayer() === null) box.current?.focus();
  }, []);
  useFocusHome(box);
  return box;
}
