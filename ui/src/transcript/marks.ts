/**
 * Marks what is sought wherever it stands in the page, without touching the page: the browser paints
 * ranges by name (`::highlight(sought)`). Where it cannot, the message that was gone to is tinted,
 * and that has to do.
 */
import { useEffect, type RefObject } from 'react';

export function useMarks(root: RefObject<HTMLElement | null>, sought: string) {
  useEffect(() => {
    const element = root.current;
    if (!element || sought === '' || !('highlights' in CSS)) return;
    const mark = () => {
      CSS.highlights.set('sought', new Highlight(...rangesOf(element, sought.toLowerCase())));
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
      CSS.highlights.delete('sought');
    };
  }, [root, sought]);
}

function rangesOf(root: HTMLElement, sought: string): Range[] {
  const found: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const words = node.nodeValue?.toLowerCase() ?? '';
    for (let at = words.indexOf(sought); at >= 0; at = words.indexOf(sought, at + sought.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + sought.length, node.nodeValue?.length ?? 0));
      found.push(range);
    }
  }
  return found;
}
