/**
 * What is written in the edit of a message or a summary, and changed of what goes along with it. It stays
 * until it is stored or put away by the person's word, also where the box goes away: another message is
 * edited, another session seen. With its thread the box that was written in last comes back. Rust keeps it as
 * it keeps a draft.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState, type Dispatch, type SetStateAction } from 'react';
import type { Backend } from '../../ipc';
import type {
  Attachment,
  MessageEdit,
  Message,
  MessageId,
  SessionId,
  SessionView,
  ThreadId,
  UnsentEdit,
} from '../../ipc/bindings';
import { setUnsaved } from '../../kit/overlays/unsavedGuard';
import { queryKeys } from '../../state/queries/queries';

/** A message that is edited. */
export type EditTarget = {
  message: Message;
  sessionId: SessionId;
  /** Its thread has ended: nothing can be stored. */
  readOnly: boolean;
  /** Nobody asked for the box just now: it came back with its thread. */
  isRestored: boolean;
};

/** Null: as it is in the message. */
type EditChanges = { words: string | null; files: readonly Attachment[] | null };

type StoredEdit = EditChanges & { id: MessageId; threadId: ThreadId; sessionId: SessionId };

/** The one that was changed last is the last. */
const unsentEdits = new Map<MessageId, StoredEdit>();

/** What Rust keeps of each, as far as this window knows: what is put away is not brought back by it. */
const savedEdits = new Map<MessageId, MessageEdit>();

const emptyEdit: MessageEdit = { text: null, attachments: null };

/** Takes up what Rust keeps of the edits of a session, from before this window. */
export function loadUnsentEdits(session: SessionId, edits: readonly UnsentEdit[]) {
  for (const { messageId: id, threadId, edit } of edits) {
    if (savedEdits.has(id)) continue;
    savedEdits.set(id, edit);
    unsentEdits.set(id, {
      id,
      threadId,
      sessionId: session,
      words: edit.text,
      files: edit.attachments,
    });
  }
}

/** Has an edit kept as it is now, where Rust keeps another. Where that fails, it counts as not saved. */
export async function saveEdit(commands: Backend['commands'], id: MessageId) {
  const { words: text, files } = editChanges(id);
  const edit: MessageEdit = { text, attachments: files === null ? null : [...files] };
  if (JSON.stringify(edit) === JSON.stringify(savedEdits.get(id) ?? emptyEdit)) return;
  const before = savedEdits.get(id) ?? emptyEdit;
  savedEdits.set(id, edit);
  try {
    await commands.saveEdit(id, edit);
    const left = editChanges(id);
    if (left.words === text && left.files === files) setUnsaved(`message ${id}`, false);
  } catch {
    savedEdits.set(id, before);
  }
}

export const editChanges = (id: MessageId): EditChanges =>
  unsentEdits.get(id) ?? { words: null, files: null };

export function updateEdit({ message, sessionId }: EditTarget, changed: Partial<EditChanges>) {
  const { id, threadId } = message;
  restoreEdit({ ...editChanges(id), ...changed, id, threadId, sessionId });
}

/** What is forgotten can be brought back. */
export function discardEdit(id: MessageId): StoredEdit | undefined {
  const left = unsentEdits.get(id);
  unsentEdits.delete(id);
  setUnsaved(`message ${id}`, false);
  return left;
}

export function restoreEdit(left: StoredEdit) {
  const isLeft = left.words !== null || left.files !== null;
  unsentEdits.delete(left.id);
  if (isLeft) unsentEdits.set(left.id, left);
  setUnsaved(`message ${left.id}`, isLeft, left.sessionId);
}

const openEditIn = (thread: ThreadId): MessageId | null =>
  [...unsentEdits.values()].findLast(({ threadId }) => threadId === thread)?.id ?? null;

type EditingState = {
  editing: MessageId | null;
  /** It came back with its thread. */
  isRestored: boolean;
  setEditing: Dispatch<SetStateAction<MessageId | null>>;
};

/** Which message of a thread is edited; the setter is the same every time. */
export function useEditingMessage(session: SessionId, thread: ThreadId): EditingState {
  const client = useQueryClient();
  const [editing, setOpen] = useState(() => {
    loadUnsentEdits(
      session,
      client.getQueryData<SessionView>(queryKeys.session(session))?.edits ?? [],
    );
    return openEditIn(thread);
  });
  const [isRestored, setBack] = useState(true);
  const setEditing = useCallback<EditingState['setEditing']>((next) => {
    setBack(false);
    setOpen(next);
  }, []);
  return { editing, isRestored, setEditing };
}
