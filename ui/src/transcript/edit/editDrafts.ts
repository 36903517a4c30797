/**
 * The unsaved edits of messages and summaries. An edit stays until it is stored or discarded, also while
 * another message is edited or another session is shown; the last changed one opens again with its thread.
 * Rust stores edits like drafts.
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

/** The edit of a message. */
export type EditTarget = {
  message: Message;
  sessionId: SessionId;
  /** The thread is archived: nothing can be stored. */
  readOnly: boolean;
  /** The form opened with its thread and not by the user. */
  isRestored: boolean;
};

/** null: unchanged. */
type EditChanges = { words: string | null; files: readonly Attachment[] | null };

type StoredEdit = EditChanges & { id: MessageId; threadId: ThreadId; sessionId: SessionId };

/** The last changed edit is the last entry. */
const unsentEdits = new Map<MessageId, StoredEdit>();

/** The edits that Rust has stored, as far as this webview knows: a discarded one does not come back. */
const savedEdits = new Map<MessageId, MessageEdit>();

const emptyEdit: MessageEdit = { text: null, attachments: null };

/** Takes over the edits of a session that Rust stored before this webview was loaded. */
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

/** Takes over the stored edits of a session that another window wrote. An edit that is not stored stays. */
export function replaceEdits(session: SessionId, edits: readonly UnsentEdit[]) {
  const ofSession = [...unsentEdits.values()].filter(({ sessionId }) => sessionId === session);
  const ids = [...ofSession.map(({ id }) => id), ...edits.map(({ messageId }) => messageId)];
  for (const id of ids.filter(isSaved)) {
    discardEdit(id);
    savedEdits.delete(id);
  }
  loadUnsentEdits(session, edits);
}

function messageEdit(id: MessageId): MessageEdit {
  const { words: text, files } = editChanges(id);
  return { text, attachments: files === null ? null : [...files] };
}

const isSaved = (id: MessageId) =>
  JSON.stringify(messageEdit(id)) === JSON.stringify(savedEdits.get(id) ?? emptyEdit);

/**
 * Stores the current state of an edit if Rust has another. If that fails, the edit counts as unsaved.
 */
export async function saveEdit(commands: Backend['commands'], id: MessageId) {
  if (isSaved(id)) return;
  const { words: text, files } = editChanges(id);
  const edit = messageEdit(id);
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

/** A discarded edit can be restored. */
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
  /** The form opened with its thread and not by the user. */
  isRestored: boolean;
  setEditing: Dispatch<SetStateAction<MessageId | null>>;
};

/**
 * The edited message of a thread. The setter is stable. While the session is written in another window
 * (`isElsewhere`), none is edited here.
 */
export function useEditingMessage(
  session: SessionId,
  thread: ThreadId,
  isElsewhere: boolean,
): EditingState {
  const client = useQueryClient();
  const restored = () => {
    if (isElsewhere) return null;
    const view = client.getQueryData<SessionView>(queryKeys.session(session));
    loadUnsentEdits(session, view?.edits ?? []);
    return openEditIn(thread);
  };
  const [editing, setOpen] = useState(restored);
  const [isRestored, setBack] = useState(true);
  const [wasElsewhere, setWasElsewhere] = useState(isElsewhere);
  if (wasElsewhere !== isElsewhere) {
    setWasElsewhere(isElsewhere);
    setOpen(restored());
    setBack(true);
  }
  const setEditing = useCallback<EditingState['setEditing']>((next) => {
    setBack(false);
    setOpen(next);
  }, []);
  return { editing, isRestored, setEditing };
}
