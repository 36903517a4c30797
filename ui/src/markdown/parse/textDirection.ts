/**
 * The text direction of a block by its first letter. Browsers do that for paragraphs, but not for lists and
 * quotes.
 */
import type { Block, Inline } from './ast';

const letter = /\p{L}/u;
const fromTheRight = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;

/** undefined: no letter in them. */
export function textDirection(blocks: readonly Block[]): 'ltr' | 'rtl' | undefined {
  const first = firstLetter(blocks);
  return first === '' ? undefined : fromTheRight.test(first) ? 'rtl' : 'ltr';
}

function firstLetter(blocks: readonly Block[]): string {
  return firstNonEmpty(blocks, (block) => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return firstNonEmpty(block.children, firstLetterOfInline);
      case 'quote':
        return firstLetter(block.blocks);
      case 'list':
        return firstNonEmpty(block.items, (item) => firstLetter(item.blocks));
      case 'table':
        return firstNonEmpty([block.header, ...block.rows].flat(2), firstLetterOfInline);
      case 'raw':
        return letter.exec(block.text)?.[0] ?? '';
      case 'code':
      case 'math':
      case 'rule':
        return '';
    }
  });
}

function firstLetterOfInline(inline: Inline): string {
  if ('children' in inline) return firstNonEmpty(inline.children, firstLetterOfInline);
  return inline.type === 'text' || inline.type === 'code'
    ? (letter.exec(inline.text)?.[0] ?? '')
    : '';
}

function firstNonEmpty<Part>(parts: readonly Part[], find: (part: Part) => string): string {
  for (const part of parts) {
    const found = find(part);
    if (found !== '') return found;
  }
  return '';
}
