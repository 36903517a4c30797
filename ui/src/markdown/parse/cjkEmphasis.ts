/**
 * Emphasis beside Chinese, Japanese and Korean, which have no spaces between words.
 *
 * In CommonMark, the characters on both sides of asterisks decide if they open or close emphasis.
 * Its rules know letters, punctuation and spaces, so `**注意：**请` stays literal. The amendment for
 * these scripts (https://github.com/tats-u/markdown-cjk-friendly, specification.md) treats
 * asterisks beside a CJK letter or sign as between two letters, and those beside other punctuation
 * as between two punctuation marks. marked has rules for both cases: it is given a letter or a
 * punctuation mark in place of the CJK character, matching the other side. Underscores are not
 * affected.
 */
import { Tokenizer, type MarkedExtension } from 'marked';

/** CJK letters and signs, full and half width, and Hangul; no emoji. */
export const cjkClass =
  '[\\u1100-\\u11ff\\u2e80-\\u2fff\\u3001-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\ufe10-\\ufe1f' +
  '\\ufe30-\\ufe6f\\uff01-\\uffee\\u{16fe0}-\\u{18dff}\\u{1aff0}-\\u{1b2ff}\\u{20000}-\\u{3fffd}]';
/** Variation selectors. */
const variant = '[\\ufe00-\\ufe0e\\u{e0100}-\\u{e01ef}]?';
const letter = `${cjkClass}${variant}`;
const sign = `(?!${cjkClass}|\\*)[\\p{P}\\p{S}]`;
const besideAsterisks = new RegExp(`(?<=\\*)${letter}|${letter}(?=\\*)`, 'gu');
/** Asterisks with CJK on both sides: the text before them decides whether they close. */
const asSign = new RegExp(`(?<=${sign}\\*+)${cjkClass}|(?<!\\*)${letter}(?=\\*+${sign})`, 'uy');
/** Opening asterisks: the text after them decides. */
const alone = new RegExp(`^(\\*+)(${letter})\\*+(${sign})?`, 'u');
/** Of a surrogate pair, marked sees the last unit. */
const freeBehind = new RegExp(`^(?:${cjkClass}|[\\ufe00-\\ufe0e\\udc00-\\udfff])?$`, 'u');
const freeBefore = new RegExp(`^\\*+(?=${cjkClass})[\\p{P}\\p{S}]`, 'u');

const inItsPlace = (seen: string, isSign: boolean) => (isSign ? '!' : 'a').repeat(seen.length);

export const cjkEmphasisExtension: MarkedExtension = {
  hooks: {
    emStrongMask: (words) => {
      if (!words.includes('*')) return words;
      return words.replace(besideAsterisks, (seen, at: number) => {
        asSign.lastIndex = at;
        return inItsPlace(seen, asSign.test(words));
      });
    },
  },
  tokenizer: {
    emStrong(source, masked, before) {
      if (!source.startsWith('*')) return false;
      const [, run = '', seen, next] = alone.exec(source) ?? [];
      const at = masked.length - source.length + run.length;
      const shown =
        seen === undefined
          ? masked
          : masked.slice(0, at) +
            inItsPlace(seen, next !== undefined) +
            masked.slice(at + seen.length);
      const isFree = freeBehind.test(before ?? '') || freeBefore.test(source);
      return Tokenizer.prototype.emStrong.call(this, source, shown, isFree ? '' : before);
    },
  },
};
