// @vitest-environment node
import { Buffer } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test, vi } from 'vitest';

/** The JavaScript that is loaded before the composer takes a key, uncompressed, in bytes. */
const maxBytes = 500_000;

const ui = path.resolve(import.meta.dirname, '..');
const source = path.join(ui, 'src') + path.sep;

/** @type {import('vite').Rolldown.OutputChunk[]} */
let chunks = [];

beforeAll(async () => {
  // Without it the development build of React would be measured.
  vi.stubEnv('NODE_ENV', 'production');
  const built = await build({ root: ui, logLevel: 'silent', build: { write: false } });
  if (!('output' in built)) throw new Error('the build has another form than expected');
  chunks = built.output.filter((it) => it.type === 'chunk');
}, 120_000);

/** A chunk and everything that it imports statically. */
function withImports(/** @type {import('vite').Rolldown.OutputChunk | undefined} */ chunk) {
  const found = new Set();
  const add = (/** @type {import('vite').Rolldown.OutputChunk | undefined} */ it) => {
    if (it === undefined || found.has(it)) return;
    found.add(it);
    for (const file of it.imports) add(chunks.find(({ fileName }) => fileName === file));
  };
  add(chunk);
  return /** @type {import('vite').Rolldown.OutputChunk[]} */ ([...found]);
}

const atStart = () => withImports(chunks.find(({ isEntry, name }) => isEntry && name === 'index'));
const textsOf = (/** @type {string} */ language) =>
  withImports(chunks.find((it) => it.facadeModuleId?.endsWith(`/i18n/${language}/firstFrame.ts`)));

test.each(['en', 'zh'])('the start loads at most 500 kB of JavaScript in "%s"', (language) => {
  const loaded = [...new Set([...atStart(), ...textsOf(language)])];
  expect(loaded.length).toBeGreaterThan(1);
  const bytes = loaded.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
  const list = loaded.map((it) => `${String(Buffer.byteLength(it.code))} ${it.fileName}`);
  expect(
    bytes,
    `load on demand what the first frame does not need:\n${list.join('\n')}`,
  ).toBeLessThanOrEqual(maxBytes);
});

test('the code of the start uses only the texts that are loaded with it', () => {
  const panels = readFileSync(path.join(source, 'i18n/en/panels.ts'), 'utf8');
  const areas = [...panels.matchAll(/^ {2}(\w+),$/gm)].map(([, area]) => area);
  expect(areas.length).toBeGreaterThan(0);
  const text = new RegExp(`['\`](?:${areas.join('|')})\\.[a-zA-Z$]`);
  const modules = atStart().flatMap(({ moduleIds }) => moduleIds);
  const early = modules.filter(
    (file) =>
      file.startsWith(source) &&
      !file.startsWith(path.join(source, 'i18n')) &&
      existsSync(file) &&
      text.test(readFileSync(file, 'utf8')),
  );
  expect(modules).toContain(path.join(source, 'main.tsx'));
  expect(early).toEqual([]);
});
