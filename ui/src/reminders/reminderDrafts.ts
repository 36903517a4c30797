/**
 * What is written in the form of a reminder. It stays until it is stored or put away by the person's
 * word, also where the form goes away: the panel is closed, another session seen.
 */
import { useState } from 'react';
import type { ReminderId, ReminderScope, SessionId } from '../ipc/bindings';
import { setUnsaved } from '../kit/overlays/unsavedGuard';

/** What a form is for: a new reminder, or one that is changed. */
export type ReminderDraftKey = 'new' | ReminderId;

type ReminderFields = { content: string; where: ReminderScope['type'] };

/** Written, and the words of the reminder as they were when the writing began. */
type ReminderDraft = ReminderFields & { began: string };

const reminderDrafts = new Map<SessionId, ReadonlyMap<ReminderDraftKey, ReminderDraft>>();

/** The form to open where something was left in it. */
export const openReminderDraft = (session: SessionId): ReminderDraftKey | null =>
  reminderDrafts.get(session)?.keys().next().value ?? null;

export const hasReminderDraft = (session: SessionId, written: ReminderDraftKey) =>
  reminderDrafts.get(session)?.has(written) ?? false;

/** Before something is written, the form follows the reminder. */
export function useReminderDraft(
  session: SessionId,
  written: ReminderDraftKey,
  now: ReminderFields,
) {
  const [own, setOwn] = useState(reminderDrafts.get(session)?.get(written) ?? null);
  const name = `reminder ${session} ${written}`;
  return {
    ...(own ?? { ...now, began: now.content }),
    write: (change: Partial<ReminderFields>) => {
      const next = { ...(own ?? { ...now, began: now.content }), ...change };
      setOwn(next);
      reminderDrafts.set(session, new Map(reminderDrafts.get(session)).set(written, next));
      setUnsaved(name, next.content !== next.began, session);
    },
    forget: () => {
      const others = new Map(reminderDrafts.get(session));
      others.delete(written);
      reminderDrafts.set(session, others);
      setUnsaved(name, false);
    },
  };
}
