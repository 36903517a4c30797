/**
 * What a person can ask for by a slash in the box, and in the palette. Who offers a command says what
 * it does; this is only its shape.
 */
export type Command = {
  /** What is written behind the slash. */
  name: string;
  /** What it does, in the language of the interface. */
  words: string;
  /** What may be written behind the name; null: nothing. */
  argument: { hint: string; required: boolean } | null;
  /**
   * Resolves once it is done, or has begun. Rejects with what went wrong, which whoever ran it says; a line
   * of the box goes back there, unless something else stands in it by then.
   */
  run: (argument: string | null) => Promise<unknown>;
};
