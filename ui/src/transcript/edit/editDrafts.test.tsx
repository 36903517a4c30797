import { act, renderHook, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { useUnsavedInWindow } from '../../kit/overlays/unsavedGuard';
import { MessageMenu } from '../message/MessageMenu';
import { updateEdit } from './editDrafts';

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
