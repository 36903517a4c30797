/**
 * Links URLs in plain text. In Markdown only a space ends a URL; here punctuation of Chinese and Japanese
 * and quotation marks end it too, and a CJK letter ends its host: `https://a.example。谢谢` would lead to
 * another host. Apostrophes, dashes and ellipses are ambiguous: between two letters of another script they
 * belong to the URL.
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
