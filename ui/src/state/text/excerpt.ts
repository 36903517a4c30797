/**
 * The beginning of a text, to tell it from others in the name of a control.
 */
import type { ContentPart } from '../../ipc/bindings';

const segmenter = new Intl.Segmenter();

/** No letter is longer, as far as anybody writes them. */
const longLetter = 32;

/** At most so many letters of its first line, of which no more is looked at: it may be megabytes long. */
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
