/**
 * Addresses that stand in a text as they are. Nothing but a space ends one in the rules of Markdown; here the
 * signs do that a sentence in Chinese or Japanese goes on with, and the quotation marks of any language, and
 * a letter of theirs ends its host: `https://a.example。谢谢` would lead to another. An apostrophe, a dash and
 * an ellipsis are signs of both: between two letters of another script they belong to what they stand in.
 */
import { Tokenizer, type MarkedExtension } from 'marked';
import { cjkClass } from './cjkEmphasis';

const end = '\\s<\\p{Pi}\\p{Pf}\\u2014\\u2026';
const within = `(?!${cjkClass}(?<=[\\p{P}\\p{S}]))[^${end}]`;
const between = `[\u2019\u2014\u2026](?=(?!${cjkClass})[\\p{L}\\p{N}_/%])`;
const bareUrl = new RegExp(
  `^(?:(?:https?|ftp)://|www\\.)(?:(?!${cjkClass})[^${end}/?#])*(?:[/?#](?:${within}|${between})*)?`,
  'iu',
);

export const autolinkExtension: MarkedExtension = {
  tokenizer: {
    url(source) {
      const address = bareUrl.exec(source)?.[0];
      return address === undefined ? false : Tokenizer.prototype.url.call(this, address);
    },
  },
};
