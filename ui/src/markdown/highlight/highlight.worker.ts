/**
 * The worker that highlights code: Shiki with Oniguruma in WebAssembly. One highlighter for all code;
 * grammars are loaded on demand.
 */
import { createCssVariablesTheme, createHighlighterCore } from '@shikijs/core';
import { createOnigurumaEngine } from '@shikijs/engine-oniguruma';
import { grammarFor } from './codeLanguages';
import type { HighlightReply, HighlightRequest, TokenKind, HighlightedLine } from './highlighter';

const theme = createCssVariablesTheme({ name: 'skein', variablePrefix: '--' });

const highlighter = createHighlighterCore({
  themes: [theme],
  engine: createOnigurumaEngine(import('@shikijs/engine-oniguruma/wasm-inlined')),
});

type Grammar = { default: Parameters<Awaited<typeof highlighter>['loadLanguage']>[0] };

const grammars = import.meta.glob<Grammar>([
  '/node_modules/@shikijs/langs/dist/{c,cpp,csharp,css,dart,diff,docker,elixir,go,graphql,haskell,html,ini,java,javascript,json,jsx,julia,kotlin,latex,lua,make,markdown,nix,objective-c,perl,php,powershell,python,r,ruby,rust,scala,scss,shellscript,sql,svelte,swift,toml,tsx,typescript,vue,xml,yaml,zig}.mjs',
]);

/** The colour names of the theme and those of tokens.css. */
const kinds: Readonly<Record<string, TokenKind>> = {
  'token-keyword': 'keyword',
  'token-string': 'string',
  'token-string-expression': 'string',
  'token-constant': 'constant',
  'token-function': 'function',
  'token-comment': 'comment',
  'token-parameter': 'parameter',
  'token-punctuation': 'punctuation',
  'token-link': 'string',
};

const kindOf = (colour = ''): TokenKind =>
  kinds[/^var\(--([\w-]+)\)$/.exec(colour)?.[1] ?? ''] ?? null;

async function highlightLines({
  language,
  code,
}: HighlightRequest): Promise<HighlightedLine[] | null> {
  const grammar = grammarFor(language);
  const load = grammars[`/node_modules/@shikijs/langs/dist/${grammar}.mjs`];
  if (!load) return null;
  const shiki = await highlighter;
  await shiki.loadLanguage((await load()).default);
  const { tokens } = shiki.codeToTokens(code, {
    lang: grammar,
    theme: 'skein',
    // One line of a minified file could take very long.
    tokenizeMaxLineLength: 2000,
    // In ms per line; the first ones of a language take longest, and longer still on a busy machine.
    tokenizeTimeLimit: 2000,
  });
  return tokens.map((line) => {
    const parts: [TokenKind, string][] = [];
    for (const { content, color } of line) {
      const kind = kindOf(color);
      const last = parts.at(-1);
      if (last?.[0] === kind) last[1] += content;
      else parts.push([kind, content]);
    }
    return parts;
  });
}

self.onmessage = ({ data }: MessageEvent<HighlightRequest>) => {
  const answer = (lines: HighlightedLine[] | null) => {
    self.postMessage({ id: data.id, lines } satisfies HighlightReply);
  };
  highlightLines(data).then(answer, () => {
    answer(null);
  });
};
