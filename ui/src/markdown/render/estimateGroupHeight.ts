/**
 * Estimates the height of blocks that were never mounted. It only has to keep the scroll bar near the truth:
 * a group is measured as soon as it comes near the view.
 */
import { estimateLines } from '../../kit/text/splitLongText';
import type { Block, Inline } from '../parse/ast';
import type { Section, SectionGroup } from '../parse/sections';

/** The line height of text, in px. */
export const lineHeight = 24;
/** The space between two blocks, in px. */
const blockGap = 12;

/** In px. */
export const estimateGroupHeight = (group: SectionGroup): number =>
  group.reduce((height, section) => height + heightOfSection(section), 0);

/** Text that is not parsed is taken for a paragraph. */
function heightOfSection(section: Section): number {
  const { unparsed } = section;
  if (unparsed === null) return heightOf(section.blocks);
  return estimateLines(unparsed.trim()) * lineHeight + blockGap;
}

const heightOf = (blocks: readonly Block[]): number =>
  blocks.reduce((height, block) => height + estimateBlockHeight(block) + gapBehind(block), 0);

/** In px. */
export const estimateBlockHeight = (block: Block) => linesOf(block) * lineHeight;

const gapBehind = (block: Block) => ('goesOn' in block ? 0 : blockGap);

/** Of rows of a table, in px. */
export const estimateRowsHeight = (rows: number) => rows * 1.5 * lineHeight;

function linesOf(block: Block): number {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return estimateLines(textOf(block.children));
    case 'raw':
      return estimateLines(block.text);
    case 'code':
      return block.text.split('\n').length + 2;
    case 'quote':
      return heightOf(block.blocks) / lineHeight;
    case 'list':
      return block.items.reduce((lines, { blocks }) => {
        const height = heightOf(blocks) - (block.loose ? 0 : blockGap);
        return lines + height / lineHeight;
      }, 0);
    case 'table':
      return estimateRowsHeight(block.rows.length + 1) / lineHeight;
    case 'math':
    case 'rule':
      return 2;
  }
}

const textOf = (inlines: readonly Inline[]): string => inlines.map(inlineText).join('');

function inlineText(inline: Inline): string {
  switch (inline.type) {
    case 'text':
    case 'code':
      return inline.text;
    case 'break':
      return '\n';
    case 'math':
      return inline.tex;
    case 'strong':
    case 'emphasis':
    case 'deleted':
    case 'link':
      return textOf(inline.children);
    case 'image':
      return inline.alt;
  }
}
