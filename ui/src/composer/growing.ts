/**
 * A box as high as what is written in it; where it ends to grow is said by its style.
 */
import { useLayoutEffect, useRef } from 'react';

export function useGrowing(words: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [words]);
  return box;
}
