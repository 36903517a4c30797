/**
 * The beginning of a text, to tell it from others in the name of a control.
 */
import type { ContentPart } from '../ipc/bindings';

const segmenter = new Intl.Segmenter();

/** At most so many letters of its first line. */
export function startOf(words: string, long = 40): string {
  const line = words.trim().split('\n')[0] ?? '';
  const letters = Array.from(segmenter.segment(line), ({ segment }) => segment);
  return letters.length <= long ? line : `${letters.slice(0, long).join('')}…`;
}

export const textOf = (parts: readonly ContentPart[]) =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
