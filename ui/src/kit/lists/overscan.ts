/**
 * The mounted rows of a virtual list: those in view, and those so near that no scroll passes them in one
 * frame.
 */

/** The mounted distance beyond the view, in px: a row may be a hundred screens high, or a line. */
const overscanPx = 600;

type VisibleRange = { startIndex: number; endIndex: number; count: number };

/** The rows in view, and on either side those that begin within the overscan distance. */
export function overscanRows(
  { startIndex, endIndex, count }: VisibleRange,
  height: (index: number) => number,
): number[] {
  const near = Array.from({ length: endIndex - startIndex + 1 }, (_, at) => startIndex + at);
  for (let at = startIndex - 1, px = 0; at >= 0 && px < overscanPx; at -= 1) {
    near.push(at);
    px += height(at);
  }
  for (let at = endIndex + 1, px = 0; at < count && px < overscanPx; at += 1) {
    near.push(at);
    px += height(at);
  }
  return near;
}

/** The estimated characters in a line of text; of wide ones, as Chinese, fewer fit. */
export const charsPerLine = (text: string) =>
  /[\u2e80-\uffef]/.test(text.slice(0, 200)) ? 44 : 88;
