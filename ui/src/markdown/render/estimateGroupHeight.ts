/**
 * Estimates the height of blocks that were never mounted. It only has to keep the scroll bar near the truth:
 * a group is measured as soon as it comes near the view.
 */
import { estimateLines } from '../../kit/text/splitLongText';
import type { Block, Inline } from '../parse/ast';
import type { Section, SectionGroup } from '../parse/sections';

/** The line height of text, in px. */
const lineHeight = 24;
/** The space between two blocks, in px. */
const blockGap = 12;

/** True if a group is plain text only, such as the portions of a line of megabytes. */
export const isPlainGroup = (group: SectionGroup): boolean =>
  group.every(
    (section) => section.unparsed === null && section.blocks.every(({ type }) => type === 'raw'),
  );

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
  blocks.reduce((height, block) => height + linesOf(block) * lineHeight + gapBehind(block), 0);

const gapBehind = (block: Block) => (block.type === 'raw' && block.goesOn ? 0 : blockGap);

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
      return block.items.reduce((lines, { blocks }) => lines + heightOf(blocks) / lineHeight, 0);
    case 'table':
      return (block.rows.length + 1) * 1.5;
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
