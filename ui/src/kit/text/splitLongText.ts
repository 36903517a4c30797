/**
 * Splits a text that is too long for one element. The webview lays out all lines of an element at once, and
 * for a word of megabytes that takes minutes.
 */

/** The minimum length of a portion, in characters. */
export const minPortion = 4096;

/**
 * Portions to be shown below each other, of at least `length` characters, the last of {@link minPortion},
 * and of less than both together. A line break at a cut is in neither portion; a longer line is cut after a
 * space, else anywhere. A cut depends only on the text before it and on the portion after it.
 */
export function splitLongText(text: string, length = minPortion): string[] {
  const portions: string[] = [];
  let from = 0;
  while (text.length - from >= length + minPortion) {
    const end = portionEnd(text, from + length, from + length + minPortion);
    portions.push(text.slice(from, end));
    from = text[end] === '\n' ? end + 1 : end;
  }
  if (from < text.length || portions.length === 0) portions.push(text.slice(from));
  return portions;
}

/** True if {@link splitLongText} makes more than one portion of a text. */
export const isLongText = (text: string): boolean => text.length >= 2 * minPortion;

/** Characters of a line that nobody writes: it is data. */
const longLine = 32_768;

export function hasLongLine(text: string): boolean {
  let from = 0;
  while (text.length - from > longLine) {
    const end = text.indexOf('\n', from);
    if (end < 0 || end - from > longLine) return true;
    from = end + 1;
  }
  return false;
}

function portionEnd(text: string, least: number, most: number): number {
  const candidates = text.slice(least, most);
  const line = candidates.indexOf('\n');
  if (line >= 0) return least + line;
  const space = candidates.lastIndexOf(' ');
  if (space >= 0) return least + space + 1;
  // Not inside a surrogate pair.
  return /[\uDC00-\uDFFF]/.test(candidates.charAt(0)) ? least + 1 : least;
}

/** The estimated lines of a text, for a font of 15 px in a column of 700 px. */
export const estimateLines = (text: string): number =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / 90)), 0);
