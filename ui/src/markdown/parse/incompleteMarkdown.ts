/**
 * Closes the open marks at the end of a streaming text, so that they do not flicker. If that would show a
 * character that is not in the text, the text stays as it is.
 */
import remend from 'remend';
import type { LinkDefinitions } from './lexer';
import { parseBlock } from './parseBlock';
import type { SourceBlock } from './blockSplitter';
import type { Block, Inline } from './ast';

export function parseIncomplete(
  piece: SourceBlock,
  links: LinkDefinitions,
  continuesList: boolean,
): Block[] {
  const options = { growing: true, continuesList };
  const source = closeOpenMarks(piece.source);
  const blocks = parseBlock({ ...piece, source }, links, options);
  const sign = trailingMark(blocks);
  if (sign === undefined) return blocks;
  const asItStands = parseBlock(piece, links, options);
  return trailingMark(asItStands) === sign ? blocks : asItStands;
}

const closeOpenMarks = (source: string) =>
  remend(source, {
    linkMode: 'text-only',
    htmlTags: false,
    inlineKatex: false,
    // A mark that lexer.ts ignores in a complete text is ignored in a streaming one.
    singleTilde: false,
    comparisonOperators: false,
  });

const closingMark = /[*_~`$]$/;

/** The last character, if it could be part of a closing mark. */
const trailingMark = (blocks: readonly Block[]) => closingMark.exec(trailingText(blocks))?.[0];

/** The text node at the end; undefined: the tree ends with another node. */
function trailingText(blocks: readonly Block[]): string {
  const last = blocks.at(-1);
  switch (last?.type) {
    case 'paragraph':
    case 'heading':
      return trailingInlineText(last.children);
    case 'quote':
      return trailingText(last.blocks);
    case 'list':
      return trailingText(last.items.at(-1)?.blocks ?? []);
    case 'table':
      return trailingInlineText(last.rows.at(-1)?.findLast((cell) => cell.length > 0) ?? []);
    case 'code':
    case 'math':
    case 'rule':
    case 'raw':
    case undefined:
      return '';
  }
}

function trailingInlineText(inlines: readonly Inline[]): string {
  const last = inlines.at(-1);
  if (last?.type === 'text') return last.text;
  return last && 'children' in last ? trailingInlineText(last.children) : '';
}
