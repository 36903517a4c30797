import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { layers } from './lint/layers.js';
import { rawHtml, literalWords, unhandledCommands } from './lint/syntax.js';

export default defineConfig(
  globalIgnores(['dist', 'src/ipc/bindings.ts']),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  reactHooks.configs.flat['recommended-latest'],
  jsxA11y.flatConfigs.strict,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: [] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { skein: { rules: { layers } } },
    rules: {
      'skein/layers': 'error',
      'no-restricted-syntax': ['error', ...rawHtml, ...unhandledCommands],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 220, skipBlankLines: true, skipComments: true }],
      // Prettier folds code, and leaves comments as wide as they are.
      'max-len': ['error', { code: 1000, comments: 110, ignoreUrls: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['src/**/*.tsx'],
    ignores: ['src/**/*.test.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...rawHtml, ...unhandledCommands, ...literalWords] },
  },
  {
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', 'gallery/**'],
    rules: { 'max-lines': 'off' },
  },
);
