// @vitest-environment node
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockSplitter, wholePieces } from './blockSplitter';
import { blocksIn } from '../../../test/fixtures/markdownBlocks';
import { IncrementalParser } from './incrementalParser';
import { parseBlock } from './parseBlock';
import type { LinkDefinitions } from './lexer';
import type { Block } from './ast';

const read = (text: string) => blocksIn(new IncrementalParser().parse([text], true));

/** Every list in one piece, and every piece parsed again once all link definitions are known. */
function readWhole(text: string): Block[] {
  const pieces = [...wholePieces(text)];
  const links = Object.create(null) as LinkDefinitions;
  for (const piece of pieces) parseBlock(piece, links);
  return pieces.flatMap((piece) => parseBlock(piece, links));
}

const partsOf = (text: string) => {
  const splitter = new BlockSplitter();
  splitter.add(text);
  return splitter.closed.filter(({ nextItem }) => nextItem !== null).length;
};

const filler = 'the weft crosses the warp, row after row, and the reed beats it in place. '.repeat(
  5,
);
const markers = [
  '- ',
  '- ',
  '- ',
  '* ',
  '1. ',
  '2. ',
  '7) ',
  '- [ ] ',
  '- [x] ',
  '  - ',
  '   * ',
  ' - ',
];
const contents = [
  'one *two* three', '**open', 'a [link][ref] and [ref]', '[the other] [ref two]', '`code', '~~x~~', '>= 5',
  '[ref]: http://a.example/', '[x]: http://b.example/', '- nested', '# heading', '> quote', '$x$', '', ' ', '    ',
]; // prettier-ignore
const endings = [
  '\n', '\n', '\n', '\n', '\n\n', '\n\n\n', '  \n', '\n  more of it\n', '\nlazy\n', '\n\n  second\n', '\r\n',
  '\n  ```js\n  a\n\n  b\n  ```\n', '\n    indented\n', '\n\n      code\n', '\n  - inner\n  - inner\n', '\n---\n',
  '\n* * *\n', '\n# heading\n', '\n> quote\n', '\n<div>\n', '\n$$\n', '\n| a | b |\n|---|---|\n| [x\\|y] | 2 |\n',
  '\n```\nfence\n```\n', '\n\nparagraph with [ref]\n\n', '\n[ref]: http://c.example/\n', '\n===\n', '\n-\n', '\n  1. a\n',
]; // prettier-ignore
const item = fc
  .tuple(
    fc.constantFrom(...markers),
    fc.constantFrom(...contents),
    fc.constantFrom('', filler),
    fc.constantFrom(...endings),
  )
  .map((parts) => parts.join(''));
/** Mostly items of one kind, as lists are. */
const plainItem = fc
  .tuple(
    fc.constantFrom(...contents),
    fc.constantFrom('', filler, filler, filler),
    fc.constantFrom(...endings.slice(0, 12)),
  )
  .map((parts) => parts.join(''));
const lists = fc.oneof(
  fc.array(item, { maxLength: 24 }).map((items) => items.join('')),
  fc
    .tuple(fc.constantFrom(...markers), fc.array(plainItem, { minLength: 8, maxLength: 24 }))
    .map(([marker, items]) => items.map((words) => marker + words).join('')),
);
const definitions = fc.constantFrom(
  '',
  '\n[ref]: http://d.example/\n',
  '\n[Ref  Two]: http://e.example/\n[x|y]: http://f.example/\n[the other]: http://g.example/\n',
);

test('a list that is parsed in parts is the list that is parsed whole', () => {
  let cut = 0;
  fc.assert(
    fc.property(definitions, lists, definitions, (first, text, last) => {
      const whole = `${first}${text}${last}`;
      cut += partsOf(whole);
      expect(read(whole)).toEqual(readWhole(whole));
    }),
    { numRuns: 400 },
  );
  expect(cut).toBeGreaterThan(80);
});

test('a list that arrives in portions is the list that is parsed whole', () => {
  fc.assert(
    fc.property(lists, definitions, fc.integer({ min: 150, max: 900 }), (list, last, length) => {
      const text = list + last;
      const reader = new IncrementalParser();
      const portions: string[] = [];
      for (let at = 0; at < text.length; at += length) {
        portions.push(text.slice(at, at + length));
        reader.parse([...portions], false);
      }
      expect(blocksIn(reader.parse(portions, true))).toEqual(readWhole(text));
    }),
    { numRuns: 40 },
  );
});

const longList = Array.from({ length: 60 }, (_, at) => `${at + 1}. **Item** ${at}: ${filler}\n`);

test('the items of a long list keep their identity while it grows and when it ends', () => {
  const reader = new IncrementalParser();
  const itemsOf = (blocks: readonly Block[]) => (blocks[0]?.type === 'list' ? blocks[0].items : []);
  const before = itemsOf(blocksIn(reader.parse(longList.slice(0, 40), false)));
  const grown = itemsOf(blocksIn(reader.parse(longList, false)));
  expect(grown).toHaveLength(60);
  expect(before.filter((shown, at) => shown === grown[at]).length).toBeGreaterThan(30);
  const ended = itemsOf(blocksIn(reader.parse(longList, true)));
  expect(grown.filter((shown, at) => shown === ended[at]).length).toBeGreaterThan(50);
});

test('a blank line between two parts makes the whole list loose', () => {
  const tight = longList.join('');
  const at = tight.indexOf('\n31. ');
  const loose = `${tight.slice(0, at)}\n${tight.slice(at)}`;
  expect(partsOf(loose)).toBeGreaterThan(5);
  expect(read(tight)).toMatchObject([{ type: 'list', start: 1, loose: false }]);
  expect(read(loose)).toMatchObject([{ type: 'list', start: 1, loose: true }]);
});

test('at the end only what refers to a link definition is parsed again', () => {
  const paragraphs = Array.from({ length: 40 }, (_, at) =>
    at === 20 ? 'see [here][1]\n\n' : `paragraph P${at} with [brackets]\n\n`,
  );
  const reader = new IncrementalParser();
  const before = reader.parse(paragraphs, false).flat();
  for (const { blocks } of before) expect(blocks).toHaveLength(1);
  const after = reader.parse([...paragraphs, '[1]: https://a.example/'], true).flat();
  expect(after[20]).not.toBe(before[20]);
  expect(JSON.stringify(after[20]?.blocks)).toContain('https://a.example/');
  const again = after.slice(0, -1).filter((section, at) => section !== before[at]);
  expect(again, 'only it has the word 1 by itself').toHaveLength(1);
});

test('a label is found whatever its case, also with a sharp s', () => {
  const link = { type: 'link', href: 'https://a.example/' };
  expect(read('see [STRASSE]\n\n[Straße]: https://a.example/')).toMatchObject([
    { type: 'paragraph', children: [{ type: 'text' }, link] },
  ]);
});
