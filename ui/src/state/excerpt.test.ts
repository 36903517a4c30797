import { expect, it } from 'vitest';
import { startOf } from './excerpt';

it('takes whole letters, and of the first line alone', () => {
  expect(startOf('wool')).toBe('wool');
  expect(startOf('  wool \nand flax', 4)).toBe('wool');
  expect(startOf('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2)).toBe('👩‍👩‍👧‍👦👩‍👩‍👧‍👦…');
});

it('looks at no more of a line of megabytes than it shows', () => {
  expect(startOf('x'.repeat(5_000_000), 100)).toBe(`${'x'.repeat(100)}…`);
});
