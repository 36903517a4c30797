/**
 * Parses a piece of text into the syntax tree.
 */
import type { Token, Tokens } from 'marked';
import { safeLinkUrl, safeImageUrl } from './safeUrl';
import { decodeEntities } from './entities';
import { lex, type LinkDefinitions } from './lexer';
import { hasLongLine } from '../../kit/text/splitLongText';
import { cutParts, listAfter } from './listParts';
import type { SourceBlock } from './blockSplitter';
import type { Block, Inline, ListBlock, ListItem } from './ast';

/**
 * The blocks of a piece. The targets of reference links are added to `links`. `growing`: more text may
 * follow. `continuesList`: the piece begins with an item of the list before it.
 */
export function parseBlock(
  piece: SourceBlock,
  links: LinkDefinitions,
  { growing = false, continuesList = false } = {},
): Block[] {
  if (piece.kind === 'fence') return [parseFence(piece, growing)];
  const tokens = lexPiece(piece.source, links);
  if (!tokens) return [rawBlock(piece.source)];
  const [first, ...rest] = tokens;
  if (!continuesList || first?.type !== 'list') return convertBlocks(tokens, growing);
  return [...convertList(first as Tokens.List, growing), ...convertBlocks(rest, growing)];
}

/**
 * The part of a list up to an item that the next part begins with. null: the text is something else than one
 * list up to that item, or an empty list. With the parts after it, joined by joinLists, the list is the same
 * as if it had been parsed whole: marked reads each item by itself, and here it reads this part with an item
 * after it.
 */
export function parseListPart(
  source: string,
  nextItem: string,
  links: LinkDefinitions,
): ListBlock | null {
  const next = `${nextItem} x`;
  const tokens = lexPiece(source + next, links)?.filter(({ type }) => type !== 'space') ?? [];
  const [list] = tokens as Tokens.List[];
  if (tokens.length !== 1 || list?.type !== 'list' || list.items.at(-1)?.raw !== next) return null;
  const part = listOf(list, list.items.slice(0, -1), false);
  return isEmptyList(part) ? null : part;
}

/** null: the text is to be shown as it is. The marks in a line of data are none. */
const lexPiece = (source: string, links: LinkDefinitions) =>
  hasLongLine(source) ? null : lex(source, links);

export const rawBlock = (text: string): Block => ({ type: 'raw', text: text.trimEnd() });

function parseFence({ source, closed }: SourceBlock, growing: boolean): Block {
  const [opening = '', ...rest] = source.replace(/^\n+/, '').replace(/\n$/, '').split('\n');
  const lines = closed ? rest.slice(0, -1) : rest;
  const indent = opening.search(/\S/);
  const strip = new RegExp(`^ {0,${indent}}`);
  const info = opening
    .trim()
    .replace(/^[`~]+/, '')
    .trim();
  return {
    type: 'code',
    language: languageOf(info),
    text: lines.map((line) => line.replace(strip, '')).join('\n'),
    growing,
  };
}

/** The first word of a fence's info string, without the decorations of some models. */
const languageOf = (info: string) => /^\{?\.?([^\s{},:]*)/.exec(info)?.[1]?.toLowerCase() ?? '';

function convertBlocks(tokens: readonly Token[], growing: boolean): Block[] {
  return tokens.flatMap((token) => convertBlock(token as Tokens.Generic, growing));
}

function convertBlock(token: Tokens.Generic, growing: boolean): Block[] {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'paragraph':
    case 'text':
      if (token.tokens?.[0]?.type === 'raw') return [rawBlock(token.raw)];
      return [{ type: 'paragraph', children: convertInlines(token.tokens ?? [token]) }];
    case 'heading':
      return [convertHeading(token as Tokens.Heading)];
    case 'code': {
      const { text, lang = '', codeBlockStyle, raw } = token as Tokens.Code;
      const closed = codeBlockStyle === 'indented' || /(?:`{3,}|~{3,})\s*$/.test(raw);
      return [{ type: 'code', language: languageOf(lang), text, growing: growing && !closed }];
    }
    case 'mathBlock':
      return [{ type: 'math', tex: String(token.tex).trim() }];
    case 'blockquote':
      return cutParts(token.tokens ?? []).map(({ children, ...part }) => ({
        type: 'quote',
        ...part,
        blocks: convertBlocks(children, growing),
      }));
    case 'list':
      return convertListOrDash(token as Tokens.List, growing);
    case 'table': {
      const { align, header, rows } = token as Tokens.Table;
      const cells = (row: readonly Tokens.TableCell[]) =>
        row.map((cell) => convertInlines(cell.tokens));
      return [{ type: 'table', align, header: cells(header), rows: rows.map(cells) }];
    }
    case 'hr':
      return [{ type: 'rule' }];
    default:
      return [rawBlock(token.raw)];
  }
}

const depths = [1, 2, 3, 4, 5] as const;

function convertHeading({ depth, tokens }: Tokens.Heading): Block {
  return { type: 'heading', depth: depths[depth - 1] ?? 6, children: convertInlines(tokens) };
}

const paragraphOf = (text: string): Block => ({ type: 'paragraph', children: textInline(text) });

/** A list without text is text: a single dash is one. */
function convertListOrDash(token: Tokens.List, growing: boolean): Block[] {
  const parts = convertList(token, growing);
  return parts.every(isEmptyList) ? [paragraphOf(token.raw.trim())] : parts;
}

function convertList(list: Tokens.List, growing: boolean): ListBlock[] {
  let rest = listOf(list, [], growing);
  return cutParts(list.items).map(({ children, ...cut }) => {
    const part = { ...rest, ...cut, items: listOf(list, children, growing).items };
    rest = listAfter(rest, children.length);
    return part;
  });
}

const listOf = (
  list: Tokens.List,
  items: readonly Tokens.ListItem[],
  growing: boolean,
): ListBlock => ({
  type: 'list',
  start: list.ordered ? Number(list.start) : null,
  loose: list.loose,
  items: items.map((item): ListItem => ({
    done: item.task ? item.checked === true : null,
    blocks: convertBlocks(item.tokens, growing),
  })),
});

const isEmptyList = ({ items }: ListBlock) =>
  items.every(({ done, blocks }) => done === null && blocks.length === 0);

function convertInlines(tokens: readonly Token[]): Inline[] {
  const inlines: Inline[] = [];
  for (const token of tokens) {
    for (const inline of convertInline(token)) {
      const last = inlines.at(-1);
      if (inline.type === 'text' && last?.type === 'text') {
        inlines[inlines.length - 1] = { type: 'text', text: last.text + inline.text };
      } else {
        inlines.push(inline);
      }
    }
  }
  return inlines;
}

function convertInline(token: Tokens.Generic): Inline[] {
  switch (token.type) {
    case 'text':
      // In a list, marked wraps the text of an item in another text token.
      return token.tokens
        ? convertInlines(token.tokens)
        : textInline(decodeEntities(String(token.text)));
    case 'escape':
      return textInline(String(token.text));
    case 'br':
      return [{ type: 'break' }];
    case 'codespan':
      return [{ type: 'code', text: String(token.text) }];
    case 'math':
      return [{ type: 'math', tex: String(token.tex).trim(), display: token.display === true }];
    case 'strong':
      return [{ type: 'strong', children: convertInlines(token.tokens ?? []) }];
    case 'em':
      return [{ type: 'emphasis', children: convertInlines(token.tokens ?? []) }];
    case 'del':
      return [{ type: 'deleted', children: convertInlines(token.tokens ?? []) }];
    case 'link':
      return convertLink(token as Tokens.Link);
    case 'image':
      return convertImage(token as Tokens.Image);
    case 'checkbox':
      return [];
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? [{ type: 'break' }] : textInline(token.raw);
    default:
      return textInline(token.raw);
  }
}

const textInline = (text: string): Inline[] => (text === '' ? [] : [{ type: 'text', text }]);

function convertLink({ href, tokens }: Tokens.Link): Inline[] {
  const address = safeLinkUrl(decodeEntities(href));
  const children = convertInlines(tokens);
  if (address !== null) return [{ type: 'link', href: address, children }];
  // While the URL of a link has not arrived yet, its text is shown.
  return href === '' ? children : [...children, ...textInline(` (${href})`)];
}

function convertImage({ href, text }: Tokens.Image): Inline[] {
  const address = safeImageUrl(decodeEntities(href));
  if (address !== null) return [{ type: 'image', src: address, alt: decodeEntities(text) }];
  return textInline(href === unfinishedImage ? text : `${text} (${href})`.trim());
}

/** The URL that remend inserts for an image whose own has not arrived yet. */
const unfinishedImage = 'streamdown:incomplete-image';
