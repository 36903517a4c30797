/**
 * A Markdown text for screen readers: without marks. Code is only named, and each table cell is read with
 * its header.
 */
import type { Formats, Translate } from '../../i18n';
import type { LinkDefinitions } from './lexer';
import { parseBlock } from './parseBlock';
import { wholePieces } from './blockSplitter';
import type { Block, Inline, ListItem } from './ast';

/** The translated words of the text. */
export type SpeechContext = { text: Translate; formats: Formats };

/** Line by line, each made on demand: a long text begins at once. */
export function* toSpeech(source: string, voice: SpeechContext): Generator<string, void> {
  const links = Object.create(null) as LinkDefinitions;
  for (const piece of wholePieces(source)) {
    const words = blocksToSpeech(parseBlock(piece, links), voice);
    if (words !== '') yield words;
  }
}

const blocksToSpeech = (blocks: readonly Block[], voice: SpeechContext) =>
  inLines(blocks.map((block) => blockToSpeech(block, voice)));

const inLines = (lines: readonly string[]) => lines.filter((line) => line !== '').join('\n');

function blockToSpeech(block: Block, voice: SpeechContext): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return inlinesToSpeech(block.children).trim();
    case 'code':
      return codeToSpeech(block.language, block.text, voice);
    case 'math':
      return block.tex;
    case 'quote':
      return blocksToSpeech(block.blocks, voice);
    case 'list':
      return inLines(
        block.items.map((item, at) => {
          const number = block.start === null ? '' : `${block.start + at}. `;
          return number + listItemToSpeech(item, voice);
        }),
      );
    case 'table':
      return tableToSpeech(block, voice);
    case 'rule':
      return '';
    case 'raw':
      return block.text;
  }
}

function codeToSpeech(language: string, code: string, { text }: SpeechContext): string {
  const count = code.split('\n').length;
  return language === ''
    ? text('markdown.spokenCode', { count })
    : text('markdown.spokenCodeIn', { count, language });
}

function listItemToSpeech({ done, blocks }: ListItem, voice: SpeechContext): string {
  const words = blocksToSpeech(blocks, voice);
  if (done === null) return words;
  const { text } = voice;
  return text('kit.labelled', { label: text(done ? 'markdown.done' : 'markdown.notDone'), words });
}

/** A table without rows is read as its headers. */
function tableToSpeech(
  { header, rows }: Extract<Block, { type: 'table' }>,
  { text, formats }: SpeechContext,
): string {
  const inSequence = (words: readonly string[]) =>
    formats.list(words.filter((word) => word !== ''));
  const headings = header.map(cellToSpeech);
  if (rows.length === 0) return inSequence(headings);
  return inLines(
    rows.map((row) =>
      inSequence(
        row.map((cell, column) => {
          const [heading = '', words] = [headings[column], cellToSpeech(cell)];
          return heading === '' || words === ''
            ? words
            : text('kit.labelled', { label: heading, words });
        }),
      ),
    ),
  );
}

const cellToSpeech = (inlines: readonly Inline[]) => inlinesToSpeech(inlines).trim();

const inlinesToSpeech = (inlines: readonly Inline[]): string =>
  inlines.map(inlineToSpeech).join('');

function inlineToSpeech(inline: Inline): string {
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
      return inlinesToSpeech(inline.children);
    case 'image':
      return inline.alt;
  }
}
