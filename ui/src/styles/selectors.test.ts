// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const sources = path.resolve(import.meta.dirname, '..');
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

test('there are styles to look at', () => {
  expect(files.length).toBeGreaterThan(20);
});

/**
 * WebKit takes the style of the whole page anew with every element that is added once a rule asks
 * whether an element is empty or the last of its kind: 55 ms per flush in a message of 15 KB.
 */
test('no style depends on what is still to come', () => {
  const costly = files.filter((file) =>
    /:empty|:last-|:only-|:nth-last-|:has\(/.test(readFileSync(path.join(sources, file), 'utf8')),
  );
  expect(costly).toEqual([]);
});

/** WebKitGTK paints a range of the page also over the first words of whatever lies over the page. */
test('what is found is marked where it is looked for alone', () => {
  const rules = files.flatMap((file) =>
    readFileSync(path.join(sources, file), 'utf8')
      .split('\n')
      .filter((line) => line.includes('::highlight(')),
  );
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter((rule) => !rule.startsWith('.Transcript-rows '))).toEqual([]);
});
