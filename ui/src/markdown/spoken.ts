/**
 * A text as it is said to who listens: its words without its marks. Code is not spelled out but named,
 * and in a table each cell is said with its heading.
 */
import type { Formats, Text } from '../i18n';
import type { Links } from './lex';
import { readPiece } from './read';
import { Splitter } from './split';
import type { Block, Inline, ListItem } from './tree';

/** What it is said in. */
export type Voice = { text: Text; formats: Formats };

/** Line after line, each read when it is asked for: nobody waits for the whole of a long text. */
export function* spoken(source: string, voice: Voice): Generator<string, void> {
  const splitter = new Splitter();
  splitter.add(source);
  const links = Object.create(null) as Links;
  for (const piece of [...splitter.closed, ...splitter.open()]) {
    const words = blocksOf(readPiece(piece, links, false), voice);
    if (words !== '') yield words;
  }
}

const blocksOf = (blocks: readonly Block[], voice: Voice) =>
  inLines(blocks.map((block) => blockOf(block, voice)));

const inLines = (lines: readonly string[]) => lines.filter((line) => line !== '').join('\n');

function blockOf(block: Block, voice: Voice): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return wordsOf(block.children).trim();
    case 'code':
      return codeOf(block.language, block.text, voice);
    case 'math':
      return block.tex;
    case 'quote':
      return blocksOf(block.blocks, voice);
    case 'list':
      return inLines(
        block.items.map((item, at) => {
          const number = block.start === null ? '' : `${block.start + at}. `;
          return number + itemOf(item, voice);
        }),
      );
    case 'table':
      return tableOf(block, voice);
    case 'rule':
      return '';
    case 'raw':
      return block.text;
  }
}

function codeOf(language: string, code: string, { text }: Voice): string {
  const count = code.split('\n').length;
  return language === ''
    ? text('markdown.spokenCode', { count })
    : text('markdown.spokenCodeIn', { count, language });
}

function itemOf({ done, blocks }: ListItem, voice: Voice): string {
  const words = blocksOf(blocks, voice);
  if (done === null) return words;
  const { text } = voice;
  return text('kit.labelled', { label: text(done ? 'markdown.done' : 'markdown.notDone'), words });
}

/** A table without rows is its headings. */
function tableOf(
  { header, rows }: Extract<Block, { type: 'table' }>,
  { text, formats }: Voice,
): string {
  const inSequence = (words: readonly string[]) =>
    formats.list(words.filter((word) => word !== ''));
  const headings = header.map(cellOf);
  if (rows.length === 0) return inSequence(headings);
  return inLines(
    rows.map((row) =>
      inSequence(
        row.map((cell, column) => {
          const [heading = '', words] = [headings[column], cellOf(cell)];
          return heading === '' || words === ''
            ? words
            : text('kit.labelled', { label: heading, words });
        }),
      ),
    ),
  );
}

const cellOf = (inlines: readonly Inline[]) => wordsOf(inlines).trim();

const wordsOf = (inlines: readonly Inline[]): string => inlines.map(inlineOf).join('');

function inlineOf(inline: Inline): string {
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
      return wordsOf(inline.children);
    case 'image':
      return inline.alt;
  }
}
