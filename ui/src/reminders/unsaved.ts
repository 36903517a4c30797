/**
 * What is written in the form of a reminder. It stays until it is stored or put away by the person's
 * word, also where the form goes away: the panel is closed, another session seen.
 */
import { useState } from 'react';
import type { ReminderId, Scope, SessionId } from '../ipc/bindings';
import { noteUnsaved } from '../kit/unsaved';

/** What a form is for: a new reminder, or one that is changed. */
export type Written = 'new' | ReminderId;

type Words = { content: string; where: Scope['type'] };

/** Written, and the words of the reminder as they were when the writing began. */
type Unsaved = Words & { began: string };

const unsaved = new Map<SessionId, ReadonlyMap<Written, Unsaved>>();

/** The form to open where something was left in it. */
export const leftOpen = (session: SessionId): Written | null =>
  unsaved.get(session)?.keys().next().value ?? null;

export const isUnsaved = (session: SessionId, written: Written) =>
  unsaved.get(session)?.has(written) ?? false;

/** Before something is written, the form follows the reminder. */
export function useWords(session: SessionId, written: Written, now: Words) {
  const [own, setOwn] = useState(unsaved.get(session)?.get(written) ?? null);
  const name = `reminder ${session} ${written}`;
  return {
    ...(own ?? { ...now, began: now.content }),
    write: (change: Partial<Words>) => {
      const next = { ...(own ?? { ...now, began: now.content }), ...change };
      setOwn(next);
      unsaved.set(session, new Map(unsaved.get(session)).set(written, next));
      noteUnsaved(name, next.content !== next.began, session);
    },
    forget: () => {
      const others = new Map(unsaved.get(session));
      others.delete(written);
      unsaved.set(session, others);
      noteUnsaved(name, false);
    },
  };
}
