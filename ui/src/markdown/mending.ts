/**
 * Reads what still grows as if the marks that are open in it were closed at its end, so that they do not
 * flicker. Where that would show a sign that nobody wrote, nothing is open: it is read as it stands.
 */
import remend from 'remend';
import type { Links } from './lex';
import { readPiece } from './read';
import type { Piece } from './split';
import type { Block, Inline } from './tree';

export function readMended(piece: Piece, links: Links): Block[] {
  const source = mend(piece.source);
  const blocks = readPiece({ ...piece, source }, links, true);
  const sign = signOf(blocks);
  if (sign === undefined) return blocks;
  const asItStands = readPiece(piece, links, true);
  return signOf(asItStands) === sign ? blocks : asItStands;
}

const mend = (source: string) =>
  remend(source, {
    linkMode: 'text-only',
    htmlTags: false,
    inlineKatex: false,
    // What is no mark in a whole text is none in a growing one: lex.ts knows.
    singleTilde: false,
    comparisonOperators: false,
  });

const closing = /[*_~`$]$/;

/** The sign that the words end with and that could close something. */
const signOf = (blocks: readonly Block[]) => closing.exec(endOf(blocks))?.[0];

/** The words that stand last; none where something else does. */
function endOf(blocks: readonly Block[]): string {
  const last = blocks.at(-1);
  switch (last?.type) {
    case 'paragraph':
    case 'heading':
      return endOfLine(last.children);
    case 'quote':
      return endOf(last.blocks);
    case 'list':
      return endOf(last.items.at(-1)?.blocks ?? []);
    case 'table':
      return endOfLine(last.rows.at(-1)?.findLast((cell) => cell.length > 0) ?? []);
    case 'code':
    case 'math':
    case 'rule':
    case 'raw':
    case undefined:
      return '';
  }
}

function endOfLine(inlines: readonly Inline[]): string {
  const last = inlines.at(-1);
  if (last?.type === 'text') return last.text;
  return last && 'children' in last ? endOfLine(last.children) : '';
}
