import { expect, test } from 'vitest';
import { estimateLines, splitLongText } from './splitLongText';

test('a text of usual length is one portion', () => {
  for (const text of ['', 'a', 'a\n\nb\n', 'x'.repeat(8191)])
    expect(splitLongText(text)).toEqual([text]);
});

test('one line of 5 MB is cut into portions that are the line', () => {
  const line = 'x'.repeat(5_000_000);
  const portions = splitLongText(line);
  expect(portions.join('')).toBe(line);
  expect(Math.max(...portions.map(({ length }) => length))).toBeLessThan(8192);
});

test('a text is cut at the end of a line, else behind a space, never within a character', () => {
  const lines = `${'word '.repeat(900)}\n\n`.repeat(4);
  expect(splitLongText(lines).join('\n')).toBe(lines);
  const words = 'some words '.repeat(2000);
  const cut = splitLongText(words);
  expect(cut.join('')).toBe(words);
  for (const portion of cut.slice(0, -1)) expect(portion).toMatch(/ $/);
  const faces = `a${'😀'.repeat(10_000)}`;
  for (const portion of splitLongText(faces)) expect(portion).not.toMatch(/\p{Surrogate}/u);
  expect(splitLongText(faces).join('')).toBe(faces);
});

test('cuts stay where they are while a text grows', () => {
  const text = 'x'.repeat(30_000);
  const before = splitLongText(text);
  expect(splitLongText(`${text}${text}`).slice(0, before.length - 1)).toEqual(before.slice(0, -1));
});

test('how many lines a text takes is estimated', () => {
  expect(estimateLines('')).toBe(1);
  expect(estimateLines(`a\n\n${'x'.repeat(181)}`)).toBe(5);
});
