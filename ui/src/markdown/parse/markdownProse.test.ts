// @vitest-environment node
/** Prose as users and models write it, in Chinese, Japanese, Korean and English, and its rendering. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blocksIn } from '../../../test/fixtures/markdownBlocks';
import { IncrementalParser } from './incrementalParser';
import type { Block, Inline } from './ast';

const read = (text: string, whole = true) => blocksIn(new IncrementalParser().parse([text], whole));

const marks = { strong: '<b>', emphasis: '<i>', deleted: '<del>' } as const;

/** As plain words with the marks that are seen in them. */
function seen(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      switch (inline.type) {
        case 'text':
          return inline.text;
        case 'code':
          return `<code>${inline.text}</code>`;
        case 'math':
          return `<math>${inline.tex}</math>`;
        case 'break':
          return '<br>';
        case 'image':
          return `<img ${inline.src}>`;
        case 'link':
          return `<a ${inline.href}>${seen(inline.children)}</a>`;
        case 'strong':
        case 'emphasis':
        case 'deleted': {
          const mark = marks[inline.type];
          return `${mark}${seen(inline.children)}${mark.replace('<', '</')}`;
        }
      }
    })
    .join('');
}

function line(text: string): string {
  const [block] = read(text) as [Extract<Block, { type: 'paragraph' }>];
  return seen(block.children);
}

/** Checks the visible text of written Markdown. */
function reads(rule: string, cases: readonly [written: string, seen: string][]) {
  describe(rule, () => {
    test.each(cases)('%s', (written, expected) => {
      expect(line(written)).toBe(expected);
    });
  });
}

reads('emphasis needs no spaces around it in Chinese, Japanese and Korean', [
  ['**注意：**请先备份', '<b>注意：</b>请先备份'],
  ['**注意:**请先备份', '<b>注意:</b>请先备份'],
  ['这是**“重点”**内容', '这是<b>“重点”</b>内容'],
  ['他说**「你好」**。', '他说<b>「你好」</b>。'],
  ['A**「你好」**B', 'A<b>「你好」</b>B'],
  ['**价格（元）**为100', '<b>价格（元）</b>为100'],
  ['他说**你好。**然后', '他说<b>你好。</b>然后'],
  ['使用**`npm`**命令', '使用<b><code>npm</code></b>命令'],
  ['见**[文档](https://a.example/)**中', '见<b><a https://a.example/>文档</a></b>中'],
  ['这是***很重要！***的', '这是<i><b>很重要！</b></i>的'],
  ['强调*（可选）*参数', '强调<i>（可选）</i>参数'],
  ['𠮷**（野家）**𠮷', '𠮷<b>（野家）</b>𠮷'],
  ['葛\u{E0100}**"Kuzu"**です', '葛\u{E0100}<b>"Kuzu"</b>です'],
  ['**テスト。**テスト', '<b>テスト。</b>テスト'],
  ['これは**「重要」**です', 'これは<b>「重要」</b>です'],
  ['**이 용어(This term)**를 강조', '<b>이 용어(This term)</b>를 강조'],
  ['**一：**甲，**二：**乙。', '<b>一：</b>甲，<b>二：</b>乙。'],
  ['**“甲”**和**“乙”**', '<b>“甲”</b>和<b>“乙”</b>'],
  ['**注意：**请**“先”**备份', '<b>注意：</b>请<b>“先”</b>备份'],
  ['**“重点”**请**注意**', '<b>“重点”</b>请<b>注意</b>'],
  ['“**请**注意”', '“<b>请</b>注意”'],
  ['中**文**“好”', '中<b>文</b>“好”'],
  ['中文__“下划线”__中文', '中文__“下划线”__中文'],
]);

test('emphasis stands wherever it is written between their letters and signs', () => {
  const within = fc.constantFrom(
    '中',
    '中文',
    '（一）',
    '「あ」',
    '한국',
    '“甲”',
    '"乙"',
    '`丙`',
    '：',
    'A：',
  );
  const between = fc.constantFrom('请', '请先', '。', '，', '다', 'カ', '（', '。和');
  const mark = fc.constantFrom(['**', 'b'] as const, ['*', 'i'] as const);
  fc.assert(
    fc.property(fc.array(fc.tuple(within, mark, between), { maxLength: 6 }), (spans) => {
      const text = spans.map(([words, [sign], after]) => sign + words + sign + after).join('');
      const code = (words: string) => words.replace(/`(.*)`/, '<code>$1</code>');
      const all = spans.map(([words, [, tag], after]) => `<${tag}>${code(words)}</${tag}>${after}`);
      expect(line(`请${text}`)).toBe(`请${all.join('')}`);
    }),
    { numRuns: 1000 },
  );
});

reads('two tildes strike out, one alone is a range', [
  ['大约需要3~5天，费用在10~20元之间', '大约需要3~5天，费用在10~20元之间'],
  ['It takes 3~5 days and costs 10~20 euros.', 'It takes 3~5 days and costs 10~20 euros.'],
  ['H~2~O', 'H~2~O'],
  ['好的~ 没问题~', '好的~ 没问题~'],
  ['~~旧价。~~新价', '<del>旧价。</del>新价'],
  ['~~3~5天~~ 2天', '<del>3~5天</del> 2天'],
  ['~~a `~~` b~~', '<del>a <code>~~</code> b</del>'],
  ['~~**旧：**价~~', '<del><b>旧：</b>价</del>'],
  ['~~ a ~~', '~~ a ~~'],
  ['约~~~三~~~天', '约~~~三~~~天'],
]);

reads('a bare address ends where the sentence goes on', [
  ['请看https://example.com。谢谢', '请看<a https://example.com/>https://example.com</a>。谢谢'],
  ['（见 https://react.dev）。', '（见 <a https://react.dev/>https://react.dev</a>）。'],
  ['www.example.com，好', '<a http://www.example.com/>www.example.com</a>，好'],
  ['“https://a.b/c”', '“<a https://a.b/c>https://a.b/c</a>”'],
  ['访问https://a.b中文站', '访问<a https://a.b/>https://a.b</a>中文站'],
  ['https://a.b/c——说明', '<a https://a.b/c>https://a.b/c</a>——说明'],
  [
    'https://a.b/c?d=1#e、https://f.g',
    '<a https://a.b/c?d=1#e>https://a.b/c?d=1#e</a>、<a https://f.g/>https://f.g</a>',
  ],
  ['https://a.b/佐々木', '<a https://a.b/%E4%BD%90%E3%80%85%E6%9C%A8>https://a.b/佐々木</a>'],
  ['https://münchen.example/', '<a https://xn--mnchen-3ya.example/>https://münchen.example/</a>'],
  ['https://me@a.b:81/c).', '<a https://me@a.b:81/c>https://me@a.b:81/c</a>).'],
  ['HTTPS://A.B/c。', '<a https://a.b/c>HTTPS://A.B/c</a>。'],
  ['信箱me@a.b，好', '信箱<a mailto:me@a.b>me@a.b</a>，好'],
  ['[一](https://a.b/（二）)', '<a https://a.b/%EF%BC%88%E4%BA%8C%EF%BC%89>一</a>'],
  ['<https://a.b/（二）>', '<a https://a.b/%EF%BC%88%E4%BA%8C%EF%BC%89>https://a.b/（二）</a>'],
  [
    'https://a.b/Hobson’s_choice, and',
    '<a https://a.b/Hobson%E2%80%99s_choice>https://a.b/Hobson’s_choice</a>, and',
  ],
  [
    'https://a.b/warp—weft/wait…what',
    '<a https://a.b/warp%E2%80%94weft/wait%E2%80%A6what>https://a.b/warp—weft/wait…what</a>',
  ],
  ['‘https://a.b/c’.', '‘<a https://a.b/c>https://a.b/c</a>’.'],
  ['https://a.b/c — so', '<a https://a.b/c>https://a.b/c</a> — so'],
  ['https://a.b/c…', '<a https://a.b/c>https://a.b/c</a>…'],
  ['https://a.b/c……API', '<a https://a.b/c>https://a.b/c</a>……API'],
  ['https://a.b—c', '<a https://a.b/>https://a.b</a>—c'],
]);

reads('a dollar sign before a name is none of a formula', [
  ['Set $HOME/$USER', 'Set $HOME/$USER'],
  ['$AAPL/$MSFT', '$AAPL/$MSFT'],
  ['${A}/${B}', '${A}/${B}'],
  ['取$n$次，$x$个', '取<math>n</math>次，<math>x</math>个'],
]);

reads('what means something else in every script stays', [
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['长 * 宽 * 高', '长 * 宽 * 高'],
  ['snake_case_name', 'snake_case_name'],
  ['变量snake_case_name的值', '变量snake_case_name的值'],
  ['**Note:**text', '**Note:**text'],
  ['a**"b"**c', 'a**"b"**c'],
  ['星号\\*不是\\*强调', '星号*不是*强调'],
  ['**没有结束', '**没有结束'],
  ['结束** 而已', '结束** 而已'],
  ['\u3000*\u3000全角空格\u3000*', '\u3000*\u3000全角空格\u3000*'],
]);

/** Whole phrases with whole marks, and signs that are none. */
const phrases = [
  '请先备份', '他说：', '“重点”', '价格（元）为100', '大约3~5天', '10~20元', '好的~', '重要なポイント。', '「確認」', '중요합니다.', 'the weft',
  'It costs $5', 'and $6.50', '2 * 3 * 4', '5*3', 'snake_case_name', 'a < b', 'x > 5', 'A&B', 'C#', 'C:\\dir', '100%', '1. ', '#1', '3/4',
  'e.g.', '——', '……', '[1]', '(2)', '【三】', ' * ', ' ~ ', '填空____。', ' - ', ' = ', '^', ' ', '，', '。', '\n', '\n\n', '\n- ', '\n1. ', '\n> ', '\n## ',
  '**注意：**', '**“重点”**', '**Note:** ', '*slowly* ', '_slowly_ ', '***很重要！***', '~~旧价。~~', '`npm i`', '[文档](https://a.example/x)',
  'https://a.example/y ', 'https://a.example/y。', '$x^2$ ', '\n- **项：**', '\n- >90%', '\n* ', '`a*b`', '（*可选*）', '![图](https://a.example/i.png)', '<br>', '&lt;', '\n---\n', '\n| a | b |\n|---|---|\n| **一：**二 | 3~5 |\n',
]; // prettier-ignore

test('what an item begins with says more than a number, and quotes what is none', () => {
  expect(read('- >90%：优秀\n- >= $5')).toMatchObject([
    {
      items: [
        { blocks: [{ type: 'paragraph', children: [{ text: '>90%：优秀' }] }] },
        { blocks: [{ type: 'paragraph', children: [{ text: '>= $5' }] }] },
      ],
    },
  ]);
  expect(read('- > 引用\n- 他说\n  > 5天')).toMatchObject([
    { items: [{ blocks: [{ type: 'quote' }] }, { blocks: [{}, { type: 'quote' }] }] },
  ]);
  expect(read('> 90%的人')).toMatchObject([{ type: 'quote' }]);
});

test('a mark that is closed shows no second sign while more is to come', () => {
  const text = '请先备份_slowly_ _slowly_ \n\n完';
  expect(read(text, false)).toEqual(read(text));
});

test('what is shown last while it arrives is what stands when it is whole', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...phrases), { maxLength: 12 }), (parts) => {
      const text = `${parts.join('')}完`;
      // Of marks that stand against each other nobody knows which belong together.
      fc.pre(!/\*{4}|_{5}/.test(text));
      expect(read(text, false)).toEqual(read(text));
    }),
    { numRuns: 1000 },
  );
});
