import { expect, it } from 'vitest';
import { excerpt } from './excerpt';

it('takes whole letters, and of the first line alone', () => {
  expect(excerpt('wool')).toBe('wool');
  expect(excerpt('  wool \nand flax', 4)).toBe('wool');
  expect(excerpt('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…');
});

it('looks at no more of a line of megabytes than it shows', () => {
  expect(excerpt('x'.repeat(5_000_000), 100)).toBe(`${'x'.repeat(100)}…`);
});
