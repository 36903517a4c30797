/**
 * Marks what is sought wherever it stands in the page, without touching the page: the browser paints
 * ranges by name (`::highlight(matches)`). Where it cannot, the message that was gone to is tinted,
 * and that has to do.
 */
import { useEffect, type RefObject } from 'react';
import { findTextRanges } from './textRanges';

/** Paints ranges under a name; without any, what was painted is painted no more. */
export function paintHighlight(name: string, ranges: readonly Range[], priority = 0) {
  if (!('highlights' in CSS)) return;
  if (ranges.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const highlight = new Highlight();
  // One by one: a letter that is sought may stand in more places than a call takes arguments.
  for (const range of ranges) highlight.add(range);
  highlight.priority = priority;
  CSS.highlights.set(name, highlight);
}

/** `words` are the same for as long as the same are marked. */
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
