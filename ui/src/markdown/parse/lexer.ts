/**
 * Reads one piece of text with marked, without letting any text make it slow: marked's inline rules
 * are quadratic on texts made for it, so what is too intricate is not read but shown as written.
 */
import { Lexer, Marked, type MarkedExtension, type Token, type TokensList } from 'marked';
import { autolinkExtension } from './autolink';
import { cjkEmphasisExtension } from './cjkEmphasis';

/** The places that reference links point to, by their label. */
export type LinkDefinitions = TokensList['links'];

/**
 * Work that one run of words may cost: its length times its marks. A page of prose stays under
 * 100,000; marked takes about 3 ms for this much at worst.
 */
const maxInlineWork = 1_000_000;
/** No word is that long. Searching one for an address is quadratic in its length. */
const longWord = /[!-~]{1000}/;
const marks = /[*_~`[\]<>\\&$@!\n]/g;
/** Levels of quotes and lists, on one line by their signs or by their indent. */
const tooDeep = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){17}|^[ \t]{100,}(?:[-*+]|\d{1,9}[.)])[ \t]/m;

function isTooIntricate(words: string): boolean {
  return (words.match(marks)?.length ?? 0) * words.length > maxInlineWork || longWord.test(words);
}

const mathStart = /\$|\\[([]/;
/** A variable begins behind a dollar sign, too: $HOME/$USER is no formula. */
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
      // Only where a block begins anyway: asking inside of every paragraph would be quadratic.
      name: 'mathBlock',
      level: 'block',
      tokenizer(source) {
        const [raw, double, bracket] = blockMath.exec(source) ?? [];
        return raw === undefined ? undefined : { type: 'mathBlock', raw, tex: double ?? bracket };
      },
    },
  ],
};

const setext = /^([^\n]+)\n {0,3}(=+|-+) *(?:\n+|$)/;
const place =
  /^ {0,3}\[((?:\\[^\n]|[^\\[\]\n])+)\]: *(\S+)(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*(?:\n+|$)/;

/**
 * Two rules of marked look through all that follows at every line. These look at one line: a
 * heading underlined with signs is a line long, and so is the place a reference link points to.
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
      const tag = label.toLowerCase().trim().replace(/\s+/g, ' ');
      return { type: 'def', raw, tag, href: target.replace(/^<(.*)>$/, '$1'), title: '' };
    },
  },
};

const struck = /^~~(?=[^\s~])[^]*?[^\s~]~~(?!~)/;

/** Two tildes strike out, one alone does not: it is how a range is written, 3~5. */
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

/** What an item begins with is no quote before a number, but says more than that: `- >90%`. */
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

/** The tokens of a piece, or null if it must be shown as it was written. Adds to `links`. */
export function lex(source: string, links: LinkDefinitions): Token[] | null {
  if (tooDeep.test(source)) return null;
  const lexer = new Lexer(mathStart.test(source) ? withMath : plain);
  lexer.tokens.links = links;
  const tokens = lexer.blockTokens(source, lexer.tokens);
  // What Lexer.lex does, with a look at each run of words before it is read.
  for (const run of lexer.inlineQueue) {
    if (isTooIntricate(run.src)) run.tokens.push({ type: 'raw', raw: run.src });
    else lexer.inlineTokens(run.src, run.tokens);
  }
  return tokens;
}
