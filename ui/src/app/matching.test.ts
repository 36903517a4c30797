import { expect, it } from 'vitest';
import { best } from './matching';

const rows = ['Wool prices', 'The price of wool', 'Dewoolify', 'Silk'].map((label) => ({ label }));
const found = (query: string) => best(query, rows).map(({ label }) => label);

it('puts what begins with the letters before what holds them', () => {
  expect(found('wool')).toEqual(['Wool prices', 'The price of wool', 'Dewoolify']);
});

it('wants every word, in any order', () => {
  expect(found('wool pri')).toEqual(['Wool prices', 'The price of wool']);
});

it('shows everything before a letter is written', () => {
  expect(found(' ')).toHaveLength(4);
});
