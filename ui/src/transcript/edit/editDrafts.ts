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

/**
 * Stores the current state of an edit if Rust has another. If that fails, the edit counts as unsaved.
 */
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

/** The edited message of a thread. The setter is stable. */
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
