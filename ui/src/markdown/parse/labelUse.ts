/**
 * Finds the texts that may refer to link definitions: a reference has the words of its label
 * between brackets. A text with a bracket and the last word of a label counts, so none is missed.
 */
import { foldCase, type LinkDefinitions } from './lexer';

/** Between the words of a label may also stand the mark of a quote. */
const words = /[^\s[\]>]+/g;

/** Returns a test if a text may refer to one of `links`. Linear in both. */
export function labelUse(links: LinkDefinitions): (source: string) => boolean {
  const labels = Object.keys(links);
  if (labels.length === 0) return () => false;
  // '': a label without words, which any text may refer to.
  const lastWords = new Set(labels.map((label) => label.match(words)?.at(-1) ?? ''));
  return (source) =>
    source.includes('[') && (lastWords.has('') || wordsOf(source).some((it) => lastWords.has(it)));
}

/** In a table a vertical bar is escaped. */
const wordsOf = (source: string) => foldCase(source.replaceAll('\\|', '|')).match(words) ?? [];
