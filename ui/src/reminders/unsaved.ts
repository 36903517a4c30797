/**
 * What is written in the form of a reminder. It stays until it is stored or put away by the person's
 * word, also where the form goes away: the panel is closed, another session seen.
 */
import { useState } from 'react';
import type { ReminderId, Scope, SessionId } from '../ipc/bindings';

/** What a form is for: a new reminder, or one that is changed. */
export type Written = 'new' | ReminderId;

type Words = { content: string; where: Scope['type'] };

const unsaved = new Map<SessionId, ReadonlyMap<Written, Words>>();

/** The form to open where something was left in it. */
export const leftOpen = (session: SessionId): Written | null =>
  unsaved.get(session)?.keys().next().value ?? null;

export function useWords(session: SessionId, written: Written, before: Words) {
  const [words, setWords] = useState(unsaved.get(session)?.get(written) ?? before);
  return {
    ...words,
    write: (change: Partial<Words>) => {
      const next = { ...words, ...change };
      setWords(next);
      unsaved.set(session, new Map(unsaved.get(session)).set(written, next));
    },
    forget: () => {
      const others = new Map(unsaved.get(session));
      others.delete(written);
      unsaved.set(session, others);
    },
  };
}
