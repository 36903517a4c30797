// @vitest-environment node
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksIn } from '../../../test/fixtures/markdownBlocks';
import { IncrementalParser } from './incrementalParser';
import type { Block, Inline } from './ast';

const read = (text: string) => blocksIn(new IncrementalParser().parse([text], true));

const signs = [
  '*', '**', '_', '`', '``', '```', '~~~', '~~', '# ', '> ', '- ', '1. ', '2) ', '+ ', '[', ']', '(', ')', '![',
  '](http://a.b)', '[x]: http://c.d', '[x]', '<', '>', '<div>', '<!--', '|', '|-|-|', '---', '===', '$', '$$',
  '\\', '\\(', '\\[', '\\]', '&lt;', '\n', '\n', '\n\n', '\r\n', ' ', '  ', '    ', '\t', '- [ ] ', 'http://e.f',
  'word', 'Zahl', '中文', '🙂',
]; // prettier-ignore
const texts = fc.array(fc.constantFrom(...signs), { maxLength: 60 }).map((parts) => parts.join(''));

test('however a text arrives, it ends in the same tree', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(12), { maxLength: 80 }), (text, portions) => {
      const reader = new IncrementalParser();
      let end = 0;
      for (const portion of portions) {
        end = Math.min(text.length, end + portion);
        reader.parse([text.slice(0, end)], false);
      }
      expect(blocksIn(reader.parse([text], true))).toEqual(read(text));
    }),
    { numRuns: 500 },
  );
});

test('portion by portion it is shown as if it had come at once', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(12), { maxLength: 80 }), (text, lengths) => {
      const [byPortions, byText] = [new IncrementalParser(), new IncrementalParser()];
      const arrived: string[] = [];
      let end = 0;
      for (const length of lengths) {
        arrived.push(text.slice(end, end + length));
        end = Math.min(text.length, end + length);
        const seen = byPortions.parse([...arrived], false);
        const whole = byText.parse([text.slice(0, end)], false);
        expect(seen.map((group) => blocksIn([group]))).toEqual(
          whole.map((group) => blocksIn([group])),
        );
      }
      expect(blocksIn(byPortions.parse([text], true))).toEqual(read(text));
    }),
    { numRuns: 500 },
  );
});

function wordsOf(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      switch (block.type) {
        case 'paragraph':
        case 'heading':
          return inlineWords(block.children);
        case 'code':
          return `${block.language} ${block.text}`;
        case 'raw':
          return block.text;
        case 'math':
          return block.tex;
        case 'quote':
          return wordsOf(block.blocks);
        case 'list':
          return block.items.map((item) => wordsOf(item.blocks)).join('\n');
        case 'table':
          return [block.header, ...block.rows].flat().map(inlineWords).join('\n');
        case 'rule':
          return '';
      }
    })
    .join('\n');
}

function inlineWords(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      switch (inline.type) {
        case 'text':
        case 'code':
          return inline.text;
        case 'math':
          return inline.tex;
        case 'break':
          return '\n';
        case 'image':
          return inline.alt;
        case 'strong':
        case 'emphasis':
        case 'deleted':
        case 'link':
          return inlineWords(inline.children);
      }
    })
    .join('');
}

test('no word is lost, while it arrives or when it is whole', () => {
  const numbered = fc
    .array(fc.constantFrom(...signs.filter((sign) => !/http|\[x\]|[a-z]{2}/i.test(sign))), {
      maxLength: 40,
    })
    // A word after every sign, none of which can be an address, a name of a language or a label.
    .map((parts) => parts.map((sign, at) => ({ sign, word: `Q${at}q` })));
  fc.assert(
    fc.property(numbered, fc.boolean(), (parts, whole) => {
      const text = parts.map(({ sign, word }) => `${sign}${word} `).join('');
      const shown = wordsOf(blocksIn(new IncrementalParser().parse([text], whole))).toLowerCase();
      const hidden = parts.filter(({ word }) => !shown.includes(word.toLowerCase()));
      // A definition `[label]: target` and an address in brackets are not shown as words.
      fc.pre(!/\]:|\]\(|[`~]{3}/.test(text));
      expect(hidden).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('what no further text can change keeps its identity', () => {
  const reader = new IncrementalParser();
  const first = reader.parse(['# One\n\ntwo\n\nthree\n\nfo'], false).flat();
  const second = reader.parse(['# One\n\ntwo\n\nthree\n\nfour *fi'], false).flat();
  expect(first.length).toBe(second.length);
  expect(second.map((section, at) => section === first[at])).toEqual([true, true, true, false]);
});

test('a text that is replaced is read anew', () => {
  const reader = new IncrementalParser();
  reader.parse(['first *text*'], false);
  expect(blocksIn(reader.parse(['second'], true))).toEqual(read('second'));
});

test('portions that do not go on from those before are read anew', () => {
  const reader = new IncrementalParser();
  reader.parse(['one ', '*two*'], false);
  expect(blocksIn(reader.parse(['one ', '*three*'], false))).toEqual(read('one *three*'));
  expect(blocksIn(reader.parse(['one *three*', ' and four'], true))).toEqual(
    read('one *three* and four'),
  );
});

test('marks that are still open do not flicker', () => {
  const shown = (text: string) => blocksIn(new IncrementalParser().parse([text], false));
  expect(shown('so **bol')).toEqual([
    {
      type: 'paragraph',
      children: [
        { type: 'text', text: 'so ' },
        { type: 'strong', children: [{ type: 'text', text: 'bol' }] },
      ],
    },
  ]);
  expect(shown('see [the page](https://exam')).toEqual([
    { type: 'paragraph', children: [{ type: 'text', text: 'see the page' }] },
  ]);
  expect(shown('```rust\nfn main')).toEqual([
    { type: 'code', language: 'rust', text: 'fn main', growing: true },
  ]);
});

test('a code fence that is never closed is whole when the text is', () => {
  expect(read('```py\nx = 1\n\ny = 2')).toEqual([
    { type: 'code', language: 'py', text: 'x = 1\n\ny = 2', growing: false },
  ]);
});

test('a dash with nothing behind it is that dash, not a list of nothing', () => {
  const dash = { type: 'paragraph', children: [{ type: 'text', text: '-' }] };
  expect(read('## Done\n-\n\n## Open\n\n-')).toEqual([
    { type: 'heading', depth: 2, children: [{ type: 'text', text: 'Done' }] },
    dash,
    { type: 'heading', depth: 2, children: [{ type: 'text', text: 'Open' }] },
    dash,
  ]);
  expect(read('- a\n-')).toMatchObject([{ type: 'list', items: [{}, { blocks: [] }] }]);
});

test('a list stays one list across blank lines and what is nested in it', () => {
  const text =
    '1. one\n\n   ```js\n   a\n\n   b\n   ```\n\n2. two\n   - [x] done\n   - [ ] open\n\nafter';
  expect(read(text)).toEqual([
    {
      type: 'list',
      start: 1,
      loose: true,
      items: [
        {
          done: null,
          blocks: [
            { type: 'paragraph', children: [{ type: 'text', text: 'one' }] },
            { type: 'code', language: 'js', text: 'a\n\nb', growing: false },
          ],
        },
        {
          done: null,
          blocks: [
            { type: 'paragraph', children: [{ type: 'text', text: 'two' }] },
            {
              type: 'list',
              start: null,
              loose: false,
              items: [
                {
                  done: true,
                  blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'done' }] }],
                },
                {
                  done: false,
                  blocks: [{ type: 'paragraph', children: [{ type: 'text', text: 'open' }] }],
                },
              ],
            },
          ],
        },
      ],
    },
    { type: 'paragraph', children: [{ type: 'text', text: 'after' }] },
  ]);
});

test('a reference link finds its place wherever it is given', () => {
  expect(read('see [here][1]\n\nmore\n\n[1]: https://a.example/x')[0]).toEqual({
    type: 'paragraph',
    children: [
      { type: 'text', text: 'see ' },
      { type: 'link', href: 'https://a.example/x', children: [{ type: 'text', text: 'here' }] },
    ],
  });
});

describe('mathematics', () => {
  test.each([
    ['$x^2$', [{ type: 'math', tex: 'x^2', display: false }]],
    ['\\(x_1\\)', [{ type: 'math', tex: 'x_1', display: false }]],
    ['costs $5 or $6', [{ type: 'text', text: 'costs $5 or $6' }]],
    [
      'so $$a+b$$',
      [
        { type: 'text', text: 'so ' },
        { type: 'math', tex: 'a+b', display: true },
      ],
    ],
  ])('%s', (text, children) => {
    expect(read(text)).toEqual([{ type: 'paragraph', children }]);
  });

  test.each(['$$\na\n- b\n$$', '\\[\na\n- b\n\\]'])('%j stands by itself', (text) => {
    expect(read(text)).toEqual([{ type: 'math', tex: 'a\n- b' }]);
  });
});

describe('an address that must not be opened stays words', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java&#115;cript:alert(1)',
    '&#x6a;avascript:alert(1)',
    '<javascript:alert(1)>',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'skein://chat/new',
    'tauri://localhost',
    '//evil.example',
    'relative.html',
  ])('[x](%s)', (address) => {
    const text = `[label](${address}) ![picture](${address})`;
    expect(JSON.stringify(read(text))).not.toMatch(/"type":"(?:link|image)"/);
    expect(wordsOf(read(text))).toContain('label');
  });
});

describe('text that is made to be slow is read', () => {
  const long = (sign: string) => sign.repeat(Math.ceil(200_000 / sign.length));
  test.each([
    ['one line of a megabyte', 'word '.repeat(200_000)],
    ['one word', long('x')],
    ['asterisks', '*'.repeat(100_000)],
    ['emphasis never closed', long('*a ')],
    ['emphasis among ideographs', long('中*“')],
    ['underscores in words', long('_a')],
    ['opening brackets', long('[')],
    ['nested brackets', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['links never closed', long('[a](')],
    ['quotes in quotes', long('>')],
    ['lists in lists', Array.from({ length: 1000 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
    ['a fence never closed', '```\n' + long('code\n')],
    ['one item of many lines', '- a\n' + long('  b\n')],
    ['underlined lines', long('a\n---\n')],
    ['places with open titles', long('[a]: b "x\n')],
    ['tags never closed', long('<a href="')],
    ['dollars', long('$a\n')],
  ])('%s', (_, text) => {
    expect(wordsOf(read(text)).replace(/\s/g, '').length).toBeGreaterThan(0);
  });

  test('also while it arrives', () => {
    const text = '- item with *some* words\n'.repeat(4000);
    const reader = new IncrementalParser();
    for (let end = 0; end < text.length; end += 200) reader.parse([text.slice(0, end)], false);
    expect(blocksIn(reader.parse([text], true))).toEqual(read(text));
  });
});

test('what is kept of a growing text is about as large as the text', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const inUse = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const paragraph = `${'The weft crosses the warp, row after row. '.repeat(12)}\n\n`;
  const reader = new IncrementalParser();
  const before = inUse();
  let text = '';
  for (let portion = 0; portion < 800; portion += 1) {
    text += paragraph;
    reader.parse([text], false);
  }
  const kept = inUse() - before;
  // Each of the pieces with all of the text before it would be four hundred texts.
  expect(kept / text.length).toBeLessThan(20);
  expect(blocksIn(reader.parse([text], true))).toHaveLength(800);
});

test('one line of megabytes is read as written, as one text', () => {
  const line = 'x'.repeat(2_000_000);
  const groups = new IncrementalParser().parse([line], true);
  expect(blocksIn(groups)).toEqual([{ type: 'raw', text: line }]);
  const reader = new IncrementalParser();
  const portions: string[] = [];
  for (let at = 0; at < line.length; at += 200_000) {
    portions.push(line.slice(at, at + 200_000));
    const shown = blocksIn(reader.parse([...portions], false));
    expect(shown).toEqual([{ type: 'raw', text: portions.join('') }]);
  }
  expect(reader.parse(portions, true)).toEqual(groups);
});

test('an open fence of one line of megabytes is read again only when it has grown by a good part', () => {
  const portions = ['```json\n'];
  const reader = new IncrementalParser();
  const shown = new Set<Block>();
  for (let at = 0; at < 300; at++) {
    portions.push('x'.repeat(4000));
    for (const block of blocksIn(reader.parse([...portions], false))) shown.add(block);
  }
  expect(shown.size).toBeLessThan(150);
  const [code] = blocksIn(reader.parse(portions, true));
  expect(code).toMatchObject({ type: 'code', language: 'json', text: 'x'.repeat(1_200_000) });
});

test('a text of ten thousand paragraphs has a few hundred groups, and a short one small ones', () => {
  const groups = (count: number) =>
    new IncrementalParser().parse(['Weft.\n\n'.repeat(count)], true);
  expect(groups(10_000).length).toBeLessThan(300);
  expect(groups(10_000).flat()).toHaveLength(10_000);
  expect(groups(40)).toHaveLength(5);
});

test('a paragraph is parsed when it is read, and what defines a target of a link at once', () => {
  const reader = new IncrementalParser();
  const text = 'one *two*\n\n[three]: https://a.example/\n\nsee [three]\n\nfour';
  const [first, second] = reader.parse([text], true).flat();
  expect(first?.unparsed).toBe('one *two*\n\n');
  expect(second?.unparsed).toBe('see [three]\n\n');
  expect(JSON.stringify(second?.blocks)).toContain('https://a.example/');
  expect(second?.unparsed).toBeNull();
  expect(first?.unparsed, 'the other is not').not.toBeNull();
});

test('a paragraph too intricate to parse is plain text with its line breaks', () => {
  const text = 'the *weft\n'.repeat(20_000);
  expect(read(text)).toEqual([{ type: 'raw', text: text.trimEnd() }]);
});

/** The number of the first child of each list or quotation, and the number of its children. */
const partsIn = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => {
    if (block.type === 'list') return [[block.start ?? 0, block.items.length] as const];
    return block.type === 'quote' ? [[0, block.blocks.length] as const] : [];
  });

test('a long list or quotation is several blocks, and their numbers go on', () => {
  const items = Array.from({ length: 1200 }, (_, at) => `${at + 1}. weft`).join('\n');
  expect(partsIn(read(`before\n${items}`))).toEqual([
    [1, 500],
    [501, 500],
    [1001, 200],
  ]);
  const [top] = read(`- top\n${items.replace(/^/gm, '  ')}`);
  const nested = top?.type === 'list' ? (top.items[0]?.blocks ?? []) : [];
  expect(partsIn(nested)).toHaveLength(3);
  expect(partsIn(read('> weft\n>\n'.repeat(600)))).toEqual([
    [0, 250],
    [0, 250],
    [0, 100],
  ]);
  const parts = partsIn(read(items));
  expect(parts.length).toBeGreaterThan(1);
  for (const [at, [start, count]] of parts.entries())
    expect(start + count, 'the parts that arrive one by one').toBe(parts[at + 1]?.[0] ?? 1201);
});

test('a list of usual length is one block', () => {
  expect(read('- weft\n'.repeat(499))).toHaveLength(1);
  expect(read(`- ${'weft '.repeat(200)}\n`.repeat(30))).toHaveLength(1);
});

test('a part of a long list of one-line items is parsed when it is read', () => {
  const items = Array.from({ length: 4000 }, (_, at) => `${at + 1}. the *weft* ${at}`);
  const groups = new IncrementalParser().parse([items.join('\n')], true);
  const sections = groups.flat();
  expect(sections.filter(({ unparsed }) => unparsed !== null).length).toBeGreaterThan(5);
  const numbers = partsIn(blocksIn(groups));
  expect(numbers.reduce((sum, [, count]) => sum + count, 0)).toBe(4000);
  expect(numbers.at(-1)?.[0]).toBe(4001 - (numbers.at(-1)?.[1] ?? 0));
});
