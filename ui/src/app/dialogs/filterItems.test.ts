import { expect, it } from 'vitest';
import { filterItems } from './filterItems';

const rows = ['Wool prices', 'The price of wool', 'Dewoolify', 'Silk'].map((label) => ({ label }));
const found = (query: string) => filterItems(query, rows).map(({ label }) => label);

it('puts what begins with the letters before what holds them', () => {
  expect(found('wool')).toEqual(['Wool prices', 'The price of wool', 'Dewoolify']);
});

it('wants every word, in any order', () => {
  expect(found('wool pri')).toEqual(['Wool prices', 'The price of wool']);
});

it('shows everything before a letter is written', () => {
  expect(found(' ')).toHaveLength(4);
});

it('finds a row by what it does not show, after those that begin with the letters', () => {
  const models = [{ label: 'Use Weaver', also: 'loom-weave-4' }, { label: 'Loom' }];
  expect(filterItems('loom', models).map(({ label }) => label)).toEqual(['Loom', 'Use Weaver']);
  expect(filterItems('weave-4', models)).toHaveLength(1);
});
