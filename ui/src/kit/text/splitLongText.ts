/**
 * Cuts a text that is too long for one element. The webview breaks the lines of an element all at once,
 * and for a word of megabytes that takes minutes.
 */

/** A portion has at least this many characters, and less than twice as many. */
const minPortion = 4096;

/**
 * Portions of a text, to be shown one below the other. The end of a line at which it is cut is in neither;
 * within a line it is cut behind a space, else anywhere. Where a cut lies depends on the text before it and
 * on the portion after it alone.
 */
export function splitLongText(text: string): string[] {
  const portions: string[] = [];
  let from = 0;
  while (text.length - from >= 2 * minPortion) {
    const end = portionEnd(text, from + minPortion, from + 2 * minPortion);
    portions.push(text.slice(from, end));
    from = text[end] === '\n' ? end + 1 : end;
  }
  if (from < text.length || portions.length === 0) portions.push(text.slice(from));
  return portions;
}

/** Whether {@link splitLongText} makes more than one portion of it. */
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
  // Not between the two halves of a character.
  return /[\uDC00-\uDFFF]/.test(candidates.charAt(0)) ? least + 1 : least;
}

/** Lines that so many characters may take, of a font of 15 px in a column of 700 px. */
export const estimateLines = (text: string): number =>
  text.split('\n').reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / 90)), 0);
