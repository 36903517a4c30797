import { act, renderHook, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { useUnsavedInWindow } from '../../kit/overlays/unsavedGuard';
import { MessageMenu } from '../message/MessageMenu';
import { editChanges, loadUnsentEdits, replaceEdits, saveEdit, updateEdit } from './editDrafts';

it('says of an edit no longer that it is not saved once its message is deleted, until that is undone', async () => {
  const { result } = renderHook(() => useUnsavedInWindow().size);
  const message = assistantMessage(1, { role: 'user', origin: 'person' });
  const { user } = renderPart(
    <MessageMenu message={message} last={false} covered={false} />,
    backendWith({
      deleteMessage: () => Promise.resolve({ message: 1, leaf: 1 } as never),
      restoreMessage: () => Promise.resolve(null),
    }),
  );
  act(() => {
    updateEdit(
      { message, sessionId: 1, readOnly: false, isRestored: false },
      { words: 'And dyed?' },
    );
  });
  expect(result.current).toBe(1);
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await waitFor(() => {
    expect(result.current).toBe(0);
  });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => {
    expect(result.current).toBe(1);
  });
});

it('takes the edits that another window stored, and keeps one that could not be stored', async () => {
  const stored = (messageId: number, text: string) => ({
    messageId,
    threadId: 1,
    edit: { text, attachments: null },
  });
  loadUnsentEdits(1, [stored(11, 'Old'), stored(12, 'Discarded there')]);
  const message = assistantMessage(13, { role: 'user', origin: 'person' });
  updateEdit(
    { message, sessionId: 1, readOnly: false, isRestored: false },
    { words: 'Not stored' },
  );
  const { commands } = backendWith({ saveEdit: () => Promise.reject(new Error('no disk')) });
  await saveEdit(commands, 13);
  replaceEdits(1, [stored(11, 'New')]);
  const words = [11, 12, 13].map((id) => editChanges(id).words);
  expect(words).toEqual(['New', null, 'Not stored']);
});
