/**
 * How words are typed: English is the original, every other language has exactly its keys.
 * A plural in English may be one sentence in a language that does not bend.
 */
import type { en } from './en';

export type Plural = { readonly one: string; readonly other: string };
type Words = string | Plural;

/** The same keys as an area of the English original: one missing or too many does not compile. */
export type Translation<Area> = { readonly [Name in keyof Area]: Words };

type English = typeof en;
type AreaName = keyof English;

export type Key = { [A in AreaName]: `${A}.${keyof English[A] & string}` }[AreaName];

type Original<K extends Key> = K extends `${infer A extends AreaName}.${infer Name}`
  ? English[A][Name & keyof English[A]]
  : never;

type NamesIn<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type Values<W> = W extends Plural ? 'count' | NamesIn<W['one'] | W['other']> : NamesIn<W>;

/** What a sentence needs filled in. Numbers are written as the language writes them. */
export type Filling<K extends Key> = [Values<Original<K>>] extends [never]
  ? []
  : [
      values: {
        readonly [Name in Values<Original<K>>]: Name extends 'count' ? number : string | number;
      },
    ];
