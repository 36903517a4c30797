/**
 * Tokenizes a piece of text with marked. Marked's inline rules are quadratic on hostile texts: a piece that
 * is too complex is shown as plain text.
 */
import { Lexer, Marked, type MarkedExtension, type Token, type TokensList } from 'marked';
import { autolinkExtension } from './autolink';
import { cjkEmphasisExtension } from './cjkEmphasis';

/** The targets of reference links by label. */
export type LinkDefinitions = TokensList['links'];

/**
 * The limit of the work for one inline text: its length times its marks. A page of prose stays under
 * 100,000; marked takes about 3 ms for this much at worst.
 */
const maxInlineWork = 1_000_000;
/** The longest word: the search for a URL in it is quadratic in its length. */
const longWord = /[!-~]{1000}/;
const marks = /[*_~`[\]<>\\&$@!\n]/g;
/** The maximum nesting of quotes and lists, on one line by marks or by indentation. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){17}|^[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

function isTooIntricate(words: string): boolean {
  return (words.match(marks)?.length ?? 0) * words.length > maxInlineWork || longWord.test(words);
}

const mathStart = /\$|\\[([]/;
/** No formula: a variable such as $HOME/$USER also begins with a dollar sign. */
const dollars =
  /^\$(?![\s$])((?:\\.|[^\\$\n])+?)(?<!\s)\$(?![\dA-Z_{])|^\$\$((?:\\[^]|[^\\$])+?)\$\$/;
const brackets = /^\\\((.+?)\\\)|^\\\[([^]+?)\\\]/;
const blockMath = /^ {0,3}(?:\$\$((?:\\[^]|[^\\$])+?)\$\$|\\\[([^]+?)\\\])[ \t]*(?:\n|$)/;

const mathematics: MarkedExtension = {
  extensions: [
    {
      name: 'math',
      level: 'inline',
      start: (source) => {
        const at = source.search(mathStart);
        return at < 0 ? undefined : at;
      },
      tokenizer(source) {
        const [raw, inline, display] = dollars.exec(source) ?? brackets.exec(source) ?? [];
        if (raw === undefined) return undefined;
        return { type: 'math', raw, tex: inline ?? display, display: display !== undefined };
      },
    },
    {
      // Only at the start of a block: a check inside each paragraph would be quadratic.
      name: 'mathBlock',
      level: 'block',
      tokenizer(source) {
        const [raw, double, bracket] = blockMath.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'mathBlock', raw, tex: double ?? bracket };
      },
    },
  ],
};

/** Like marked's, which looks references up: upper case first, so that `ß` is `SS`. */
const normalizeLabel = (label: string) => foldCase(label.trim().replace(/\s+/g, ' '));

export const foldCase = (words: string) => words.toLowerCase().toUpperCase().toLowerCase();

const setext = /^([^\n]+)\n {0,3}(=+|-+) *(?:\n+|$)/;
const place =
  /^ {0,3}\[((?:\\[^\n]|[^\\[\]\n])+)\]: *(\S+)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n+|$)/;

/**
 * Two rules of marked scan all of the following text at every line. These look at one line: a setext
 * heading is one line long, and so is the target of a reference link.
 */
const oneLineRules: MarkedExtension = {
  tokenizer: {
    lheading(source) {
      const [raw, line = '', sign = ''] = setext.exec(source) ?? [];
      if (raw === undefined) return undefined;
      const text = line.trim();
      const depth = sign.startsWith('=') ? 1 : 2;
      return { type: 'heading', raw, depth, text, tokens: this.lexer.inline(text) };
    },
    def(source) {
      const [raw, label = '', target = ''] = place.exec(source) ?? [];
      if (raw === undefined || label.trim() === '') return undefined;
      return {
        type: 'def',
        raw,
        tag: normalizeLabel(label),
        href: target.replace(/^<(.*)>$/, '$1'),
        title: '',
      };
    },
  },
};

const struck = /^~~(?=[^\s~])[^]*?[^\s~]~~(?!~)/;

/** Two tildes strike through, one does not: models write ranges as 3~5. */
const twoTildes: MarkedExtension = {
  tokenizer: {
    del(source, masked) {
      const length = struck.exec(masked.slice(-source.length))?.[0].length;
      if (length === undefined) return undefined;
      const [raw, text] = [source.slice(0, length), source.slice(2, length - 2)];
      return { type: 'del', raw, text, tokens: this.lexer.inlineTokens(text) };
    },
  },
};

const moreThan = /^>=?\s*\$?\d/;

/** `>` before a number at the start of a list item is a comparison and no quote: `- >90%`. */
const comparisons: MarkedExtension = {
  tokenizer: {
    blockquote(source) {
      const { top, lastToken } = this.lexer.state;
      return !top && lastToken === undefined && moreThan.test(source) ? undefined : false;
    },
  },
};

const rules = [
  { gfm: true, breaks: true },
  oneLineRules,
  twoTildes,
  comparisons,
  autolinkExtension,
  cjkEmphasisExtension,
];
const plain = new Marked(...rules).defaults;
const withMath = new Marked(...rules, mathematics).defaults;

/** The tokens of a piece; null: it must be shown as plain text. Adds to `links`. */
export function lex(source: string, links: LinkDefinitions): Token[] | null {
  if (tooDeep.test(source)) return null;
  const lexer = new Lexer(mathStart.test(source) ? withMath : plain);
  lexer.tokens.links = links;
  const tokens = lexer.blockTokens(source, lexer.tokens);
  // Like Lexer.lex, with a check of each inline text before it is tokenized.
  for (const run of lexer.inlineQueue) {
    if (isTooIntricate(run.src)) run.tokens.push({ type: 'raw', raw: run.src });
    else lexer.inlineTokens(run.src, run.tokens);
  }
  return tokens;
}
