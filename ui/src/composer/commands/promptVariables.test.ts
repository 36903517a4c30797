import { expect, it } from 'vitest';
import { fillVariables, promptVariables } from './promptVariables';

it.each([
  ['Say it in {{language}}, {{ how }}, in {{language}}.', ['language', 'how']],
  ['译成{{目标 语言}}', ['目标 语言']],
  ['{ {a}} {{}} {{ }} {{a\nb}} {a}', []],
])('asks for each variable of %j once', (words, names) => {
  expect(promptVariables(words)).toEqual(names);
});

it('fills in every place of a variable, and reads nothing of what it is filled with', () => {
  const values = { a: '{{b}} $&', b: 'two' };
  expect(fillVariables('{{a}} {{ b }} {{a}} {{c}}', values)).toBe('{{b}} $& two {{b}} $& {{c}}');
});
