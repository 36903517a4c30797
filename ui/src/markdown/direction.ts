/**
 * Which way blocks are written, told by their first letter, as browsers tell it of a paragraph: of a list or
 * a quotation they do not, since what stands in it tells its own.
 */
import type { Block, Inline } from './tree';

const letter = /\p{L}/u;
const fromTheRight = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Adlm}]/u;

/** undefined: nothing of a word stands in them. */
export function directionOf(blocks: readonly Block[]): 'ltr' | 'rtl' | undefined {
  const first = lettersOf(blocks);
  return first === '' ? undefined : fromTheRight.test(first) ? 'rtl' : 'ltr';
}

function lettersOf(blocks: readonly Block[]): string {
  return firstOf(blocks, (block) => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return firstOf(block.children, letterOf);
      case 'quote':
        return lettersOf(block.blocks);
      case 'list':
        return firstOf(block.items, (item) => lettersOf(item.blocks));
      case 'table':
        return firstOf([block.header, ...block.rows].flat(2), letterOf);
      case 'raw':
        return letter.exec(block.text)?.[0] ?? '';
      case 'code':
      case 'math':
      case 'rule':
        return '';
    }
  });
}

function letterOf(inline: Inline): string {
  if ('children' in inline) return firstOf(inline.children, letterOf);
  return inline.type === 'text' || inline.type === 'code'
    ? (letter.exec(inline.text)?.[0] ?? '')
    : '';
}

function firstOf<Part>(parts: readonly Part[], find: (part: Part) => string): string {
  for (const part of parts) {
    const found = find(part);
    if (found !== '') return found;
  }
  return '';
}
