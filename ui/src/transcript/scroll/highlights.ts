/**
 * Highlights words in the page without changing it: the browser paints named ranges
 * (`::highlight(matches)`). Without that API only the target message is tinted.
 */
import { useEffect, type RefObject } from 'react';
import { findTextRanges } from './textRanges';

/** Paints ranges under a name; an empty list clears it. */
export function paintHighlight(name: string, ranges: readonly Range[], priority = 0) {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const highlight = new Highlight();
  // Added one by one: a letter may have more matches than a call takes arguments.
  for (const range of ranges) highlight.add(range);
  highlight.priority = priority;
  CSS.highlights.set(name, highlight);
}

/** `words` is a stable array. */
export function useHighlights(root: RefObject<HTMLElement | null>, words: readonly string[]) {
  useEffect(() => {
    const element = root.current;
    if (!element || words.length === 0) return;
    const mark = () => {
      paintHighlight('matches', findTextRanges(element, words));
    };
    let frame = requestAnimationFrame(mark);
    const watcher = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    watcher.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
      paintHighlight('matches', []);
    };
  }, [root, words]);
}
