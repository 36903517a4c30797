/**
 * What is written in the edit of a message or a summary, and changed of what goes along with it. It stays
 * until it is stored or put away by the person's word, also where the box goes away: another message is
 * edited, another session seen. With its thread the box that was written in last comes back.
 */
import { useCallback, useState, type Dispatch, type SetStateAction } from 'react';
import type { Attachment, Message, MessageId, SessionId, ThreadId } from '../ipc/bindings';
import { noteUnsaved } from '../kit/unsaved';

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
export function useEditing(thread: ThreadId): Editing {
  const [editing, setOpen] = useState(() => leftIn(thread));
  const [isBack, setBack] = useState(true);
  const setEditing = useCallback<Editing['setEditing']>((next) => {
    setBack(false);
    setOpen(next);
  }, []);
  return { editing, isBack, setEditing };
}
