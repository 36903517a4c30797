/**
 * Which lines of the transcript are open, kept beside the rows: one that has left the page comes back
 * as the person left it.
 */
import { createContext } from 'react';

export class Folds {
  readonly #open = new Set<string>();

  isOpen(line: string): boolean {
    return this.#open.has(line);
  }

  set(line: string, open: boolean) {
    if (open) this.#open.add(line);
    else this.#open.delete(line);
  }
}

export const FoldsContext = createContext(new Folds());
