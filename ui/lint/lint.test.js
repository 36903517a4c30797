// @vitest-environment node
import { ESLint } from 'eslint';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const eslint = new ESLint({
  cwd: root,
  // Planted files are not on disk, so the rules that need types are tried in a file that is.
  overrideConfig: [
    { languageOptions: { parserOptions: { projectService: false, project: null } } },
  ],
  ruleFilter: ({ ruleId }) => !ruleId.startsWith('@typescript-eslint/') || untyped.has(ruleId),
});
const untyped = new Set(['@typescript-eslint/no-explicit-any']);

const typed = new ESLint({ cwd: root });

/** The rules that a snippet breaks, as if it stood in this file. */
async function broken(file, code, linter = eslint) {
  const [result] = await linter.lintText(code, { filePath: path.join(root, file) });
  const rules = result.messages.map(({ ruleId, message }) => ruleId ?? message);
  return [...new Set(rules)].filter((rule) => rule !== '@typescript-eslint/no-unused-vars');
}

describe('the layers', () => {
  test.each([
    ['src/kit/X.ts', '../markdown/parse/incrementalParser'],
    ['src/kit/X.ts', '../ipc'],
    ['src/i18n/X.ts', '../kit/Button'],
    ['src/styles/X.ts', '../i18n'],
    ['src/markdown/X.ts', '../sidebar/Sidebar'],
    ['src/markdown/X.ts', '../state/session'],
    ['src/ipc/X.ts', '../state/session'],
    ['src/state/X.ts', '../kit/Button'],
    ['src/sidebar/X.ts', '../app/App'],
    ['src/sidebar/deep/X.ts', '../../composer/Box'],
    ['src/transcript/X.ts', '../context/Breakdown'],
    ['src/settings/X.ts', '../tools/Tools'],
    ['src/kit/X.ts', '../helpers/x'],
  ])('%s may not import %s', async (file, name) => {
    expect(await broken(file, `import '${name}';\n`)).toEqual(['skein/layers']);
    expect(await broken(file, `export * from '${name}';\n`)).toEqual(['skein/layers']);
    for (const code of [
      `void import('${name}');\n`,
      `void import(\`${name}\`);\n`,
      `export type X = import('${name}').Props;\n`,
      `import x = require('${name}');\n`,
      `import.meta.glob('${name}/*.tsx');\n`,
      `import.meta.glob(['./*.ts', '${name}/*.tsx']);\n`,
    ]) {
      expect(await broken(file, code), code).toEqual(['skein/layers']);
    }
  });

  test.each([
    ['src/kit/X.ts', '../i18n'],
    ['src/kit/X.ts', './Button'],
    ['src/markdown/X.ts', '../kit/Button'],
    ['src/state/X.ts', '../ipc'],
    ['src/sidebar/X.ts', '../state/session'],
    ['src/sidebar/X.ts', '../markdown/Markdown'],
    ['src/app/X.ts', '../sidebar/Sidebar'],
  ])('%s may import %s', async (file, name) => {
    expect(await broken(file, `import '${name}';\n`)).toEqual([]);
  });

  test('only ipc speaks to the desktop', async () => {
    const code = "import '@tauri-apps/api/core';\n";
    expect(await broken('src/app/X.ts', code)).toEqual(['skein/layers']);
    expect(await broken('src/ipc/X.ts', code)).toEqual([]);
    expect(await broken('src/app/X.ts', "import '@tauri-apps';\n")).toEqual(['skein/layers']);
    const past = 'window.__TAURI_INTERNALS__.invoke(1);\n';
    expect(await broken('src/app/X.ts', past)).toEqual(['skein/layers']);
    const named = "window['__TAURI_INTERNALS__'].invoke(1);\n";
    expect(await broken('src/app/X.ts', named)).toEqual(['skein/layers']);
  });

  test('only the entry is in no folder', async () => {
    const code = "export * from './sidebar/Sidebar';\n";
    expect(await broken('src/shared.ts', code)).toEqual(['skein/layers']);
    expect(await broken('src/main.tsx', "import './app/bootstrap';\n")).toEqual([]);
  });

  test('only tests import the fakes', async () => {
    const code = "import '../../test/fakeBackend';\n";
    expect(await broken('src/app/X.ts', code)).toEqual(['skein/layers']);
    expect(await broken('src/app/X.test.ts', code)).toEqual([]);
  });

  test('a style imports what a file beside it may', async () => {
    const files = readdirSync(path.join(root, 'src'), { recursive: true });
    const styles = files.filter((file) => file.endsWith('.css'));
    expect(styles).not.toEqual([]);
    for (const file of styles) {
      const css = readFileSync(path.join(root, 'src', file), 'utf8');
      for (const [, name] of css.matchAll(/@import\s+(?:url\(\s*)?['"]?([^'")\s;]+)/g)) {
        const beside = path.join('src', file).replace(/css$/, 'ts');
        expect(await broken(beside, `import '${name}';\n`), file).toEqual([]);
      }
    }
  });
});

describe('what is never written', () => {
  test.each([
    [
      'raw HTML as a property',
      '<p dangerouslySetInnerHTML={{ __html: x }} />',
      ['no-restricted-syntax'],
    ],
    ['words in an element', '<p>Hello</p>', ['no-restricted-syntax']],
    ['Chinese in an element', '<p>你好</p>', ['no-restricted-syntax']],
    ['words in braces', "<p>{'Hello'}</p>", ['no-restricted-syntax']],
    ['words in a template', '<p>{`${x} tokens`}</p>', ['no-restricted-syntax']],
    ['words in a name', '<button type="button" aria-label="Close" />', ['no-restricted-syntax']],
    ['words in a label', '<Field label={`Close ${x}`} />', ['no-restricted-syntax']],
    ['a picture without words', '<img src={x} />', ['jsx-a11y/alt-text']],
    [
      'a click on what is no button',
      '<div onClick={x} />',
      ['jsx-a11y/click-events-have-key-events', 'jsx-a11y/no-static-element-interactions'],
    ],
    ['any', 'x as any', ['@typescript-eslint/no-explicit-any']],
  ])('%s', async (_, code, rules) => {
    expect(await broken('src/kit/X.tsx', `export const y = (x: string) => ${code};\n`)).toEqual(
      rules,
    );
  });

  test('what may fail unheard', async () => {
    expect(await broken('src/state/X.ts', 'void commands.stop(1);\n')).toEqual([
      'no-restricted-syntax',
    ]);
    expect(await broken('src/state/X.ts', 'attempt(commands.stop(1));\n')).toEqual([]);
  });
  test('raw HTML on an element', async () => {
    expect(await broken('src/kit/X.ts', 'document.body.innerHTML = x;\n')).toContain(
      'no-restricted-syntax',
    );
  });

  test.each(['<p>{x} · {x}</p>', '<Field label={x} className="wide" />', '<p>{1}</p>'])(
    'but %s is',
    async (code) => {
      expect(await broken('src/kit/X.tsx', `export const y = (x: string) => ${code};\n`)).toEqual(
        [],
      );
    },
  );
});

test('a promise that nobody waits for', async () => {
  const code = 'export function x() {\n  Promise.resolve(1);\n}\n';
  expect(await broken('src/kit/keyboard/shortcuts.ts', code, typed)).toEqual([
    '@typescript-eslint/no-floating-promises',
  ]);
});
