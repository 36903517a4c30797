/**
 * What is written in the edit of a message or a summary, and changed of what goes along with it. It stays
 * until it is stored or put away by the person's word, also where the box goes away: another message is
 * edited, another session seen. With its thread the box that was written in last comes back. Rust keeps it as
 * it keeps a draft.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState, type Dispatch, type SetStateAction } from 'react';
import type { Backend } from '../ipc';
import type {
  Attachment,
  Edit,
  Message,
  MessageId,
  SessionId,
  SessionView,
  ThreadId,
  UnsentEdit,
} from '../ipc/bindings';
import { noteUnsaved } from '../kit/unsaved';
import { keys } from '../state/reading';

/** A message that is edited. */
export type Edited = {
  message: Message;
  sessionId: SessionId;
  /** Its thread has ended: nothing can be stored. */
  readOnly: boolean;
  /** Nobody asked for the box just now: it came back with its thread. */
  isBack: boolean;
};

/** Null: as it is in the message. */
type Changed = { words: string | null; files: readonly Attachment[] | null };

type Left = Changed & { id: MessageId; threadId: ThreadId; sessionId: SessionId };

/** The one that was changed last is the last. */
const unsaved = new Map<MessageId, Left>();

/** What Rust keeps of each, as far as this window knows: what is put away is not brought back by it. */
const kept = new Map<MessageId, Edit>();

const untouched: Edit = { text: null, attachments: null };

/** Takes up what Rust keeps of the edits of a session, from before this window. */
export function takeUp(session: SessionId, edits: readonly UnsentEdit[]) {
  for (const { messageId: id, threadId, edit } of edits) {
    if (kept.has(id)) continue;
    kept.set(id, edit);
    unsaved.set(id, {
      id,
      threadId,
      sessionId: session,
      words: edit.text,
      files: edit.attachments,
    });
  }
}

/** Has an edit kept as it is now, where Rust keeps another. Where that fails, it counts as not saved. */
export async function keep(commands: Backend['commands'], id: MessageId) {
  const { words: text, files } = leftOf(id);
  const edit: Edit = { text, attachments: files === null ? null : [...files] };
  if (JSON.stringify(edit) === JSON.stringify(kept.get(id) ?? untouched)) return;
  const before = kept.get(id) ?? untouched;
  kept.set(id, edit);
  try {
    await commands.saveEdit(id, edit);
    const left = leftOf(id);
    if (left.words === text && left.files === files) noteUnsaved(`message ${id}`, false);
  } catch {
    kept.set(id, before);
  }
}

export const leftOf = (id: MessageId): Changed => unsaved.get(id) ?? { words: null, files: null };

export function change({ message, sessionId }: Edited, changed: Partial<Changed>) {
  const { id, threadId } = message;
  bringBack({ ...leftOf(id), ...changed, id, threadId, sessionId });
}

/** What is forgotten can be brought back. */
export function forget(id: MessageId): Left | undefined {
  const left = unsaved.get(id);
  unsaved.delete(id);
  noteUnsaved(`message ${id}`, false);
  return left;
}

export function bringBack(left: Left) {
  const isLeft = left.words !== null || left.files !== null;
  unsaved.delete(left.id);
  if (isLeft) unsaved.set(left.id, left);
  noteUnsaved(`message ${left.id}`, isLeft, left.sessionId);
}

const leftIn = (thread: ThreadId): MessageId | null =>
  [...unsaved.values()].findLast(({ threadId }) => threadId === thread)?.id ?? null;

type Editing = {
  editing: MessageId | null;
  /** It came back with its thread. */
  isBack: boolean;
  setEditing: Dispatch<SetStateAction<MessageId | null>>;
};

/** Which message of a thread is edited; the setter is the same every time. */
export function useEditing(session: SessionId, thread: ThreadId): Editing {
  const client = useQueryClient();
  const [editing, setOpen] = useState(() => {
    takeUp(session, client.getQueryData<SessionView>(keys.session(session))?.edits ?? []);
    return leftIn(thread);
  });
  const [isBack, setBack] = useState(true);
  const setEditing = useCallback<Editing['setEditing']>((next) => {
    setBack(false);
    setOpen(next);
  }, []);
  return { editing, isBack, setEditing };
}
