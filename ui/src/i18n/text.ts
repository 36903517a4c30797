/**
 * Sentences from keys. Pure: the language is a parameter; React's side is in Language.tsx.
 */
import { en } from './en';
import type { Filling, Key, Plural } from './types';
import { zh } from './zh';

export type Language = 'en' | 'zh';

/** What the document and Intl call a language. */
export const localeOf: Record<Language, string> = { en: 'en', zh: 'zh-CN' };

export type Text = <K extends Key>(key: K, ...filling: Filling<K>) => string;

type Sentences = Readonly<Record<string, Readonly<Record<string, string | Plural>>>>;
const languages: Record<Language, Sentences> = { en, zh };

export function textIn(language: Language): Text {
  const sentences = languages[language];
  const plural = new Intl.PluralRules(localeOf[language]);
  const number = new Intl.NumberFormat(localeOf[language]);

  return (key, ...filling) => {
    const [area = '', name = ''] = key.split('.');
    const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
    const words = sentences[area]?.[name] ?? key;
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
export function languageOfSystem(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    if (/^zh\b/i.test(tag)) return 'zh';
    if (/^en\b/i.test(tag)) return 'en';
  }
  return 'en';
}
