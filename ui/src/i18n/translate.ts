/**
 * Sentences from keys. Pure: the language is a parameter; React's side is in LanguageProvider.tsx.
 */
import { textsOf, type LanguageCode } from './dictionaries';
import type { TextArguments, TextKey } from './en/textKeys';

/** The BCP 47 tags for the document and Intl. */
export const localeOf: Record<LanguageCode, string> = { en: 'en', zh: 'zh-CN' };

export type Translate = <K extends TextKey>(key: K, ...filling: TextArguments<K>) => string;

/** Translates to a loaded language. A key without a text stands for itself. */
export function createTranslate(language: LanguageCode): Translate {
  const plural = new Intl.PluralRules(localeOf[language]);
  const number = new Intl.NumberFormat(localeOf[language]);

  return (key, ...filling) => {
    const [area = '', name = ''] = key.split('.');
    const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
    const words = textsOf(language, area)?.[name] ?? key;
    const count = values.count;
    const sentence =
      typeof words === 'string'
        ? words
        : typeof count === 'number' && plural.select(count) === 'one'
          ? words.one
          : words.other;
    return sentence.replace(/\{(\w+)\}/g, (hole, what: string) => {
      const value = values[what];
      return value === undefined ? hole : typeof value === 'number' ? number.format(value) : value;
    });
  };
}

/** The first language the system asks for that we speak. */
export function detectLanguage(wanted: readonly string[]): LanguageCode {
  for (const tag of wanted) {
    if (/^zh\b/i.test(tag)) return 'zh';
    if (/^en\b/i.test(tag)) return 'en';
  }
  return 'en';
}
