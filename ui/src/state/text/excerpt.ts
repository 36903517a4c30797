/**
 * The beginning of a text, for the accessible name of a control.
 */
import type { ContentPart } from '../../ipc/bindings';

const segmenter = new Intl.Segmenter();

/** The longest grapheme that is expected, in UTF-16 units. */
const longLetter = 32;

/** At most `long` graphemes of the first line. The rest is not read: the text may have megabytes. */
export function excerpt(words: string, long = 40): string {
  const line =
    words
      .trimStart()
      .slice(0, longLetter * (long + 1))
      .split('\n')[0]
      ?.trimEnd() ?? '';
  const letters = Array.from(segmenter.segment(line), ({ segment }) => segment);
  return letters.length <= long ? line : `${letters.slice(0, long).join('')}…`;
}

export const textOfParts = (parts: readonly ContentPart[]) =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
