/**
 * The types of the words: English is the original, every other language has exactly its keys.
 * A plural in English may be one sentence in a language that does not bend.
 */
import type { en } from '.';

export type Plural = { readonly one: string; readonly other: string };
type TranslatedText = string | Plural;

/** The same keys as an area of the English original: one missing or too many does not compile. */
export type Translation<Area> = { readonly [Name in keyof Area]: TranslatedText };

type English = typeof en;
type AreaName = keyof English;

export type TextKey = { [A in AreaName]: `${A}.${keyof English[A] & string}` }[AreaName];

type SourceText<K extends TextKey> = K extends `${infer A extends AreaName}.${infer Name}`
  ? English[A][Name & keyof English[A]]
  : never;

type PlaceholderNames<S> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderNames<Rest>
  : never;
type TextPlaceholders<W> = W extends Plural
  ? 'count' | PlaceholderNames<W['one'] | W['other']>
  : PlaceholderNames<W>;

/** The placeholders of a text. Numbers are formatted in the language's style. */
export type TextArguments<K extends TextKey> = [TextPlaceholders<SourceText<K>>] extends [never]
  ? []
  : [
      values: {
        readonly [Name in TextPlaceholders<SourceText<K>>]: Name extends 'count'
          ? number
          : string | number;
      },
    ];
