/**
 * The unsaved input of reminder forms. It stays until it is saved or discarded, also when the panel closes
 * or another session is shown.
 */
import { useState } from 'react';
import type { ReminderId, ReminderScope, SessionId } from '../ipc/bindings';
import { setUnsaved } from '../kit/overlays/unsavedGuard';

/** The subject of a form: a new reminder, or an existing one. */
export type ReminderDraftKey = 'new' | ReminderId;

type ReminderFields = { content: string; where: ReminderScope['type'] };

/** The input, and the text of the reminder when the user began to edit it. */
type ReminderDraft = ReminderFields & { began: string };

const reminderDrafts = new Map<SessionId, ReadonlyMap<ReminderDraftKey, ReminderDraft>>();

/** The form to open: one with unsaved input. */
export const openReminderDraft = (session: SessionId): ReminderDraftKey | null =>
  reminderDrafts.get(session)?.keys().next().value ?? null;

export const hasReminderDraft = (session: SessionId, written: ReminderDraftKey) =>
  reminderDrafts.get(session)?.has(written) ?? false;

/** Without input, the form shows the current reminder. */
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
