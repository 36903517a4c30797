import { expect, it } from 'vitest';
import type { FileError } from '../../ipc/bindings';
import { createTranslate } from '../../i18n/translate';
import { parseStoredError, errorText } from './errorText';

it('ends its sentence once where the words of another end themselves', () => {
  const message = 'Incorrect API key provided. ';
  const fault = { kind: 'unauthorized' as const, status: 401, message };
  expect(errorText(createTranslate('en'), fault)).toBe(
    'The key was not accepted: Incorrect API key provided. Check it in Settings → Providers.',
  );
  expect(errorText(createTranslate('zh'), fault)).toBe(
    '密钥未被接受：Incorrect API key provided。请在“设置 → 服务商”中检查。',
  );
});

it('says of a web page that it is none of a model, by its title and without its tags', () => {
  const en = (title: string | null) => errorText(createTranslate('en'), { kind: 'webPage', title });
  expect(en('Hotel Wi-Fi')).toMatch(/^A web page answered, not a model: “Hotel Wi-Fi”\. Check/);
  expect(en(null)).toMatch(/^A web page answered, not a model\. Check the base URL/);
  const refused = { kind: 'refused' as const, status: 502, message: '' };
  expect(errorText(createTranslate('en'), refused)).toBe('The provider refused the request (502).');
});

it('leaves out the number of what the system says', () => {
  const detail = '/d/backups: File exists (os error 17)';
  expect(errorText(createTranslate('en'), { kind: 'storage', detail })).toBe(
    'Something could not be stored or read: /d/backups: File exists. Your messages are safe; try again.',
  );
});

it('says what is gone in words of the language, whatever Rust calls it', () => {
  const zh = (what: string) => errorText(createTranslate('zh'), { kind: 'notFound', what });
  const en = (what: string) => errorText(createTranslate('en'), { kind: 'notFound', what });
  expect(en('thread before')).toBe('There is no thread before this one to go back to.');
  expect(zh('thread before')).toBe('没有可返回的上一个话题。');
  expect(zh('MCP server loom')).toBe('MCP 服务器“loom”已不存在。');
  expect([en('a shed'), zh('a shed')]).toEqual(['This no longer exists.', '相关内容已不存在。']);
});

it('says that there is nothing to undo or to redo, and that a compaction runs, in its own words', () => {
  const words = (['nothingToUndo', 'nothingToRedo', 'compacting'] as const).map((kind) => [
    errorText(createTranslate('en'), { kind }),
    errorText(createTranslate('zh'), { kind }),
  ]);
  expect(words).toEqual([
    ['There is no compaction here to undo.', '此处没有可撤销的压缩。'],
    ['There is no undone compaction here to put back.', '此处没有可恢复的压缩。'],
    [
      'A compaction is already running here. Wait for it, or cancel it.',
      '这里正在压缩。请等待，或取消压缩。',
    ],
  ]);
});

it('says how long a provider asks you to wait, where it does', () => {
  const refused = { kind: 'rateLimited' as const, message: 'Slow down.' };
  expect(errorText(createTranslate('en'), { ...refused, retryAfterMs: 90_000 })).toBe(
    'Too many requests: Slow down. The provider asks you to wait 2 minutes.',
  );
  expect(errorText(createTranslate('en'), { ...refused, retryAfterMs: null })).toBe(
    'Too many requests: Slow down. Try again in a while.',
  );
});

it('says of a file in its own words what is wrong with it, whoever found that', () => {
  const of = (fault: FileError) => ({ kind: 'badFile' as const, name: 'a.json', fault });
  expect(errorText(createTranslate('en'), of({ type: 'cutOff' }))).toMatch(
    /^a\.json ends in the middle/,
  );
  expect(errorText(createTranslate('zh'), of({ type: 'notSkein' }))).toMatch(
    /^a\.json 不是 Skein 的数据库/,
  );
  expect(errorText(createTranslate('en'), of({ type: 'tooLarge', limit: 10 * 1_048_576 }))).toBe(
    'a.json is larger than 10 MB, which is the most that is taken.',
  );
});

it.each(['timeout', '', 'null', '{"kind":"unheard of"}', '{"host":"loom.example"}'])(
  'takes what another program wrote of a failure for its own words: %s',
  (kept) => {
    expect(parseStoredError(kept)).toEqual({ kind: 'storage', detail: kept });
  },
);

it('reads why a reply failed as it was kept', () => {
  const fault = { kind: 'unreachable' as const, host: 'loom.example' };
  expect(parseStoredError(JSON.stringify(fault))).toEqual(fault);
});
