import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { en } from './en';
import { createFormats } from './formats';
import { detectLanguage, createTranslate } from './translate';
import type { Plural } from './en/textKeys';
import { zh } from './zh';

type Sentences = Record<string, Record<string, string | Plural>>;

function flat(language: Sentences) {
  return Object.entries(language).flatMap(([area, words]) =>
    Object.entries(words).map(([name, sentence]) => ({ key: `${area}.${name}`, sentence })),
  );
}

const holes = (sentence: string | Plural) => {
  const forms = typeof sentence === 'string' ? [sentence] : [sentence.one, sentence.other];
  return [...new Set(forms.flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();
};

const english = flat(en);
const chinese = flat(zh);

test('both languages have the same keys', () => {
  expect(chinese.map(({ key }) => key).sort()).toEqual(english.map(({ key }) => key).sort());
});

test('each tool that comes with Skein is described for the person', () => {
  const folder = path.resolve(
    import.meta.dirname,
    '../../../crates/tools/src/builtin/descriptions',
  );
  const described = readdirSync(folder).map((name) => name.replace(/\.md$/, ''));
  // The tool of skills describes itself, by the skills there are.
  expect(Object.keys(en.toolAbout).sort()).toEqual([...described, 'skill'].sort());
});

test('nothing is left empty', () => {
  const empty = [...english, ...chinese].filter(({ sentence }) =>
    typeof sentence === 'string'
      ? !sentence.trim()
      : !sentence.one.trim() || !sentence.other.trim(),
  );
  expect(empty).toEqual([]);
});

test('a translation fills in what its original fills in', () => {
  const wanted = new Map(english.map(({ key, sentence }) => [key, holes(sentence)]));
  expect(chinese.map(({ key, sentence }) => [key, holes(sentence)])).toEqual(
    chinese.map(({ key }) => [key, wanted.get(key)]),
  );
});

test('Chinese is written in Chinese', () => {
  // Names that are the same everywhere may stay; a sentence of more than three words may not.
  const english = chinese.filter(
    ({ sentence }) =>
      typeof sentence === 'string' &&
      !/\p{Script=Han}/u.test(sentence) &&
      sentence.split(/\s+/).filter((word) => /^\p{L}/u.test(word)).length > 3,
  );
  expect(english).toEqual([]);
});

test('a language that does not bend has one form', () => {
  const doubled = chinese.filter(
    ({ sentence }) => typeof sentence !== 'string' && sentence.one === sentence.other,
  );
  expect(doubled).toEqual([]);
});

test('what is counted in English is bent', () => {
  const nouns = /\{\w+\} (?:prompts|resources|replies|tools|messages|sessions)\b/;
  const unbent = english.filter(
    ({ sentence }) => typeof sentence === 'string' && nouns.test(sentence),
  );
  expect(unbent).toEqual([]);
});

test('English speaks of the context as the person knows it', () => {
  const ours = english.filter(({ sentence }) => /\bmind\b/i.test(JSON.stringify(sentence)));
  expect(ours).toEqual([]);
});

test('what a toast says is a sentence', () => {
  const sources = readdirSync(path.resolve(import.meta.dirname, '..'), { recursive: true })
    .map(String)
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => readFileSync(path.resolve(import.meta.dirname, '..', name), 'utf8'));
  const shown = sources.flatMap((source) =>
    [...source.matchAll(/toast\(\{\s*words: text\(\s*'([\w.]+)'/g)].map(([, key = '']) => key),
  );
  expect(shown).toContain('waiting.removed');
  // Of a fault, which is a sentence, the words end with those of the fault.
  const ended = /(?:[.。]|\{why\})$/;
  const cut = [...english, ...chinese].filter(({ key, sentence }) => {
    const forms = typeof sentence === 'string' ? [sentence] : [sentence.one, sentence.other];
    return shown.includes(key) && !forms.every((form) => ended.test(form));
  });
  expect(cut).toEqual([]);
});

test('English has one word for a thing: kept free, thread', () => {
  const others = /autocompact|\btopics?\b/i;
  expect(english.filter(({ sentence }) => others.test(JSON.stringify(sentence)))).toEqual([]);
});

describe('Chinese has one word for a thing: that of the field, the list and the menu', () => {
  // 接口地址, API 密钥, 话题, 清空上下文, 提示词, 服务商统计用量. The unit is "tokens", as in the estimate. The
  // states of health are 吃紧 and 告急.
  const others = /Base URL|API key|对话线|一程|思绪|头脑|警告|危急|指令|报告用量|token(?!s)/i;
  test('in the interface', () => {
    const written = chinese.filter(({ sentence }) => others.test(JSON.stringify(sentence)));
    expect(written).toEqual([]);
  });
  test('in what the model is told, which the person reads as well', () => {
    const folder = path.resolve(import.meta.dirname, '../../../crates/context/src/prompts');
    const prompts = readdirSync(folder).filter((name) => name.endsWith('.zh.md'));
    expect(prompts).toContain('cleared.zh.md');
    const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
    expect(prompts.filter((name) => others.test(read(name)))).toEqual([]);
  });
});

test('a sentence is filled in, its numbers written as the language writes them', () => {
  expect(createTranslate('en')('kit.nothingFound', { query: 'x {y}' })).toBe(
    'Nothing found for “x {y}”',
  );
  expect(createTranslate('zh')('kit.nothingFound', { query: 'x' })).toBe('没有找到“x”');
});

describe('the language of the system', () => {
  test.each([
    [['de-DE', 'zh-CN', 'en'], 'zh'],
    [['en-GB', 'zh-CN'], 'en'],
    [['zh-Hant-TW'], 'zh'],
    [['fr'], 'en'],
    [[], 'en'],
  ] as const)('%j speaks %s', (wanted, language) => {
    expect(detectLanguage(wanted)).toBe(language);
  });
});

describe('numbers', () => {
  const { tokens, percent, exact, size, when, minute } = createFormats('en');

  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1k'],
    [1234, '1.2k'],
    [128_000, '128k'],
    [131_072, '131.1k'],
    [999_949, '999.9k'],
    [999_950, '1.0m'],
    [1_000_000, '1.0m'],
    [2_097_152, '2.1m'],
  ])('%d tokens are written %s', (count, written) => {
    expect(tokens(count)).toBe(written);
  });

  test('names stand after one another with the marks of their language', () => {
    expect(createFormats('en').list(['read', 'write', 'run'])).toBe('read, write, run');
    expect(createFormats('zh').list(['read', 'write', 'run'])).toBe('read、write、run');
  });

  test('a share has one decimal', () => {
    expect([percent(0.353), percent(0), percent(1), percent(1.2346)]).toEqual([
      '35.3%',
      '0.0%',
      '100.0%',
      '123.5%',
    ]);
  });

  test('exact numbers are grouped', () => {
    expect(exact(45_230)).toBe('45,230');
  });

  test('sizes use the largest unit that leaves at least one', () => {
    expect([size(0), size(999), size(1500), size(5_000_000)]).toEqual([
      '0 bytes',
      '999 bytes',
      '1.5 kB',
      '5 MB',
    ]);
  });

  test('a moment is a time today, a day this year, a date before', () => {
    const now = new Date(2026, 10, 21, 15, 0).getTime();
    expect([
      when(new Date(2026, 10, 21, 9, 5).getTime(), now),
      when(new Date(2026, 2, 3).getTime(), now),
      when(new Date(2024, 2, 3).getTime(), now),
    ]).toEqual(['9:05 AM', 'Mar 3', 'Mar 3, 2024']);
  });

  test('a list says the day and the minute', () => {
    expect(minute(new Date(2024, 2, 3, 9, 5, 7).getTime())).toMatch(/^Mar 3, 2024, 9:05.AM$/);
  });
});
