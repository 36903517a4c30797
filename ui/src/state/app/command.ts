/**
 * A command that the user runs with a slash in the composer, or from the palette.
 */
export type Command = {
  /** The name after the slash. */
  name: string;
  /** Shown in the menu, in the language of the interface. */
  description: string;
  /** null: the command takes no argument. */
  argument: { hint: string; required: boolean } | null;
  /**
   * Resolves once the command is done, or has begun. Rejects with an error that the caller reports; the
   * composer then writes the command's line again, if it is still empty.
   */
  run: (argument: string | null) => Promise<unknown>;
};
