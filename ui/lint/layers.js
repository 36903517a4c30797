/**
 * The import layers of the webview, as a lint rule: which folder of `src` may import which.
 *
 *   styles, i18n ← kit ← markdown ← features ← app        ipc, i18n ← state ← features
 *                  kit, ipc, state ← attachments, budgets ← features
 *
 * Features never import one another, and only `src/ipc` may speak to the desktop. Only the entry,
 * `src/main.tsx`, is in no folder. The fakes of `test` are for tests alone, which are otherwise held
 * to the same layers.
 */
import path from 'node:path';

const base = ['styles', 'i18n'];
const features = ['sidebar', 'transcript', 'composer', 'context', 'reminders', 'aside', 'settings'];
const belowFeatures = [...base, 'kit', 'markdown', 'ipc', 'state', 'attachments', 'budgets'];

/** Folder → the folders it may import, besides itself. */
const allowed = new Map([
  ['styles', []],
  ['i18n', []],
  ['kit', base],
  ['markdown', [...base, 'kit']],
  ['ipc', []],
  // The words of an error are needed by every feature, and by none more than another.
  ['state', ['ipc', 'i18n']],
  // Seen before it is sent and afterwards.
  ['attachments', [...base, 'kit', 'ipc', 'state']],
  // Asked wherever a request did not leave.
  ['budgets', [...base, 'kit', 'ipc', 'state']],
  ...features.map((feature) => /** @type {[string, string[]]} */ ([feature, belowFeatures])),
  ['app', [...belowFeatures, ...features]],
]);

/** The folder of a file below `src`, or null for files outside of it and directly in it. */
function layerOf(/** @type {string} */ file) {
  const parts = file.split(path.sep);
  const source = parts.lastIndexOf('src');
  return source >= 0 && parts.length > source + 2 ? (parts[source + 1] ?? null) : null;
}

/** True if a file is in `src` and in no folder of it. */
const isOutsideLayers = (/** @type {string} */ file) => path.basename(path.dirname(file)) === 'src';

const fakes = path.resolve(import.meta.dirname, '../test') + path.sep;
const isFake = (/** @type {string} */ file) => file.startsWith(fakes);
const isTest = (/** @type {string} */ file) => /\.test\.tsx?$/.test(file);

/** The words of a string, of a template those before what is put in; else undefined. */
function literalValue(/** @type {any} */ node) {
  if (node?.type === 'Literal') return node.value;
  return node?.type === 'TemplateLiteral' ? node.quasis[0].value.cooked : undefined;
}

/** @type {import('eslint').Rule.RuleModule} */
export const layers = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      upward: '{{from}} may not import {{to}}: the layers are listed in lint/layers.js.',
      desktop: 'Only src/ipc may import {{name}}: ask the backend for it.',
      outside: 'Only main.tsx is in no folder of src.',
      unknownFolder:
        '{{to}} is no folder of src: name it in lint/layers.js with what it may import.',
      fake: 'Only tests may import {{name}}: it is a fake of the product.',
    },
  },
  create(context) {
    const from = layerOf(context.filename);
    const inSource = context.filename.includes(`${path.sep}src${path.sep}`);

    /** @param {import('eslint').Rule.Node} node @param {string} name */
    function desktop(node, name) {
      if (from !== 'ipc') context.report({ node, messageId: 'desktop', data: { name } });
    }

    /** Reports a name that Tauri puts into the page. */
    function checkName(
      /** @type {import('eslint').Rule.Node} */ node,
      /** @type {unknown} */ name,
    ) {
      if (inSource && typeof name === 'string' && name.startsWith('__TAURI')) desktop(node, name);
    }

    /** @param {import('eslint').Rule.Node} node @param {unknown} name */
    function check(node, name) {
      if (typeof name !== 'string' || !inSource) return;
      if (name.startsWith('@tauri-apps')) desktop(node, name);
      if (!name.startsWith('.') || from === null) return;
      const target = path.resolve(path.dirname(context.filename), name);
      if (isFake(target) && !isTest(context.filename)) {
        context.report({ node, messageId: 'fake', data: { name } });
      }
      const to = layerOf(path.join(target, 'x'));
      if (to === null || to === from) return;
      if (!allowed.has(from) || !allowed.has(to)) {
        context.report({
          node,
          messageId: 'unknownFolder',
          data: { to: allowed.has(to) ? from : to },
        });
      } else if (!allowed.get(from)?.includes(to)) {
        context.report({ node, messageId: 'upward', data: { from, to } });
      }
    }

    return {
      Program: (node) => {
        const file = context.filename;
        if (isOutsideLayers(file) && path.basename(file) !== 'main.tsx') {
          context.report({ node, messageId: 'outside' });
        }
      },
      Identifier: (node) => {
        checkName(node, node.name);
      },
      Literal: (node) => {
        checkName(node, node.value);
      },
      ImportDeclaration: (node) => {
        check(node, node.source.value);
      },
      ExportNamedDeclaration: (node) => {
        if (node.source) check(node, node.source.value);
      },
      ExportAllDeclaration: (node) => {
        check(node, node.source.value);
      },
      ImportExpression: (node) => {
        check(node, literalValue(node.source));
      },
      // `type X = import('../x').X`
      TSImportType: (/** @type {any} */ node) => {
        check(node, literalValue(node.source));
      },
      // `import x = require('../x')`
      TSExternalModuleReference: (/** @type {any} */ node) => {
        check(node, literalValue(node.expression));
      },
      // `import.meta.glob('../x/*')`, or several of them
      'CallExpression[callee.object.type="MetaProperty"]': (/** @type {any} */ node) => {
        const [first] = node.arguments;
        for (const it of first?.type === 'ArrayExpression' ? first.elements : [first]) {
          check(node, literalValue(it));
        }
      },
      // `new URL('../x', import.meta.url)`: how workers and assets are reached.
      NewExpression: (node) => {
        const [first] = node.arguments;
        if (node.callee.type === 'Identifier' && node.callee.name === 'URL') {
          check(node, literalValue(first));
        }
      },
    };
  },
};
