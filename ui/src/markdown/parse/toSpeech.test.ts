import { expect, it } from 'vitest';
import { createFormats } from '../../i18n/formats';
import type { LanguageCode } from '../../i18n';
import { createTranslate } from '../../i18n/translate';
import { toSpeech } from './toSpeech';

const voice = (language: LanguageCode) => ({
  text: createTranslate(language),
  formats: createFormats(language),
});
const said = (source: string) => [...toSpeech(source, voice('en'))].join('\n');

it.each([
  [
    'marks are not said',
    'The **wool** is _red_, ~~blue~~ and `dyed`.',
    'The wool is red, blue and dyed.',
  ],
  ['nor are they in Chinese', '**注意：**请**“先”**备份', '注意：请“先”备份'],
  ['a link is its words', 'See [the loom](https://loom.example) now.', 'See the loom now.'],
  ['a picture is what it is called', '![A red thread](https://p.example/a.png)', 'A red thread'],
  ['headings and quotes are lines', '# Warp\n\n> Weft\n\n---\n\nEnd', 'Warp\nWeft\nEnd'],
  ['a list has its numbers', '3. card\n4. spin\n   - slowly', '3. card\n4. spin\nslowly'],
  ['tasks say whether they are done', '- [x] card\n- [ ] spin', 'Done: card\nNot done: spin'],
  ['code is named', 'Run:\n\n```rust\nfn a() {}\nfn b() {}\n```', 'Run:\ncode, rust, 2 lines'],
  ['code without a language is named, too', '```\nlet it be\n```', 'code, 1 line'],
  ['a formula is as it was written', 'It is $a^2$.\n\n$$b^2$$', 'It is a^2.\nb^2'],
  [
    'cells are said with their headings',
    '| Yarn | Price |\n| --- | --- |\n| **Wool** | 3 |\n| Silk | |',
    'Yarn: Wool, Price: 3\nYarn: Silk',
  ],
  ['a table without rows is its headings', '| Yarn | Price |\n| --- | --- |', 'Yarn, Price'],
  ['nothing is nothing', '\n\n', ''],
])('%s', (_, source, expected) => {
  expect(said(source)).toBe(expected);
});

it('says code in Chinese, too', () => {
  expect([...toSpeech('```js\na\nb\n```', voice('zh'))]).toEqual(['代码，js，2 行']);
});

it('pauses in Chinese where Chinese does', () => {
  const table = '| 纱线 | 价格 |\n| --- | --- |\n| 羊毛 | 3 |';
  expect([...toSpeech(table, voice('zh'))]).toEqual(['纱线：羊毛、价格：3']);
  expect([...toSpeech('- [x] 纺线', voice('zh'))]).toEqual(['已完成：纺线']);
});
