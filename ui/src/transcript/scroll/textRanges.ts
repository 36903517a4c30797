/**
 * Finds words in the page as ranges, also across bold text and highlighted code.
 */

/** Elements that end a match. */
const blockSelector = 'p, li, h3, h4, h5, h6, td, th, pre, blockquote, button, figure, div';

/** A pattern with the words as alternatives, in any case. */
function searchPattern(words: readonly string[]): RegExp {
  const literal = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const longestFirst = [...words].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map(literal).join('|'), 'giu');
}

export const containsText = (text: string, words: readonly string[]) =>
  searchPattern(words).test(text);

/** In document order. `words` is not empty, nor is any of them. */
export function findTextRanges(root: Element, words: readonly string[]): Range[] {
  const pattern = searchPattern(words);
  return textRuns(root).flatMap((run) => {
    const text = run.map(({ data }) => data).join('');
    return Array.from(text.matchAll(pattern), ({ index, 0: match }) =>
      rangeInRun(run, index, index + match.length),
    );
  });
}

/** The text nodes below an element, grouped by block. */
function textRuns(root: Element): Text[][] {
  const runs: Text[][] = [];
  let last: Element | null | undefined;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) {
    const block = node.parentElement?.closest(blockSelector);
    const run = runs.at(-1);
    if (run && block === last) run.push(node);
    else runs.push([node]);
    last = block;
  }
  return runs;
}

function rangeInRun(run: readonly Text[], from: number, to: number): Range {
  const range = new Range();
  let before = 0;
  for (const node of run) {
    const end = before + node.length;
    if (from >= before && from < end) range.setStart(node, from - before);
    if (to > before && to <= end) range.setEnd(node, to - before);
    before = end;
  }
  return range;
}
