import { expect, it } from 'vitest';
import { callSubject } from './callSubject';

it.each([
  ['{"path":"notes.md"}', 'notes.md'],
  ['{"content":"Wool is red.","path":"wool.md"}', 'wool.md'],
  ['{"path":".","pattern":"threads"}', 'threads'],
  ['{"times":3,"message":"warp\\nand weft"}', 'warp'],
  [`{"command":"${'a'.repeat(80)}"}`, `${'a'.repeat(60)}…`],
  ['{"path":"."}', null],
  ['{"times":3}', null],
  ['{"path":"no', null],
  ['null', null],
  ['', null],
])('tells of %s', (args, subject) => {
  expect(callSubject(args)).toBe(subject);
});
