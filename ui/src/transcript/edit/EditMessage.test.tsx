import { act, renderHook, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Attachment, ContentPart, Draft } from '../../ipc/bindings';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { useUnsavedInWindow } from '../../kit/overlays/unsavedGuard';
import { EditMessage } from './EditMessage';
import { discardEdit, editChanges, loadUnsentEdits } from './editDrafts';

const nothing = () => undefined;
const file = (blob: number, name: string): Attachment => ({
  type: 'file',
  blob,
  name,
  mediaType: 'text/plain',
  bytes: 4,
});

/** The box of a message with a file that has been stored. */
function editing(id: number, attachFile = vi.fn(() => Promise.resolve(file(8, 'b.txt')))) {
  const kept: ContentPart = { ...file(7, 'a.txt'), type: 'file', text: 'wool' };
  const message = assistantMessage(id, {
    role: 'user',
    origin: 'person',
    parts: [{ type: 'text', text: 'Look' }, kept],
  });
  const edited = { message, sessionId: 1, readOnly: false, isRestored: false };
  const backend = backendWith({ attachFile });
  let drop: (paths: readonly string[]) => void = nothing;
  backend.desktop.onDrop = (dropped) => {
    drop = dropped;
    return Promise.resolve(nothing);
  };
  backend.desktop.pickFiles = () => Promise.resolve(['/home/ada/b.txt']);
  const onSave = vi.fn((draft: Draft) => Promise.resolve(draft.text !== 'never'));
  const onClose = vi.fn();
  const part = <EditMessage edited={edited} onSave={onSave} onClose={onClose} />;
  const drops = () => {
    act(() => {
      drop(['/home/ada/b.txt']);
    });
  };
  return { ...renderPart(part, backend), onSave, onClose, attachFile, drops };
}

const files = () => within(screen.getByRole('list', { name: 'Attachments' }));
const resend = () => screen.getByRole('button', { name: 'Send again' });

it('shows what goes along with a message that is edited, and sends it without what was taken out', async () => {
  const { user, onSave } = editing(101);
  expect(files().getByRole('button', { name: 'Open a.txt' })).toBeVisible();
  await user.click(files().getByRole('button', { name: 'Remove a.txt' }));
  await user.click(resend());
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ text: 'Look', attachments: [] });
});

it('adds what is chosen and what is dropped while it is written in', async () => {
  const { user, onSave, drops, attachFile } = editing(102);
  await user.click(files().getByRole('button', { name: 'Attach' }));
  expect(await files().findByRole('button', { name: 'Open b.txt' })).toBeVisible();
  screen.getByRole('textbox', { name: 'Edit the message' }).focus();
  drops();
  await waitFor(() => {
    expect(files().getAllByRole('button', { name: 'Open b.txt' })).toHaveLength(2);
  });
  expect(attachFile).toHaveBeenCalledWith('/home/ada/b.txt');
  await user.click(resend());
  const names = onSave.mock.calls[0]?.[0].attachments.map(({ name }) => name);
  expect(names).toEqual(['a.txt', 'b.txt', 'b.txt']);
});

it('takes no more words while those there are being stored, for they would go with the box', async () => {
  const { user, onSave } = editing(104);
  let fail: (stored: boolean) => void = nothing;
  onSave.mockImplementation(() => new Promise((resolve) => (fail = resolve)));
  await user.click(resend());
  const box = screen.getByRole('textbox', { name: 'Edit the message' });
  await user.type(box, ' once more');
  expect(box).toHaveValue('Look');
  fail(false);
  await waitFor(() => {
    expect(resend()).toBeEnabled();
  });
  await user.type(box, ' once more');
  expect(box).toHaveValue('Look once more');
});

it('leaves what is dropped to the message box while the focus is not in it', () => {
  const { drops, attachFile } = editing(103);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  drops();
  expect(attachFile).not.toHaveBeenCalled();
});

it('can be sent without words, and waits for what is being read', async () => {
  let read: (attachment: Attachment) => void = nothing;
  const reading = vi.fn(() => new Promise<Attachment>((done) => (read = done)));
  const { user } = editing(104, reading);
  await user.clear(screen.getByRole('textbox', { name: 'Edit the message' }));
  expect(resend()).toBeEnabled();
  await user.click(files().getByRole('button', { name: 'Attach' }));
  expect(await screen.findByText('Reading b.txt…')).toBeVisible();
  expect(resend()).toBeDisabled();
  act(() => {
    read(file(8, 'b.txt'));
  });
  await waitFor(() => {
    expect(resend()).toBeEnabled();
  });
});

it('says of a file that cannot be added why, and keeps the others', async () => {
  const fault = { kind: 'badFile', name: 'b.txt', fault: { type: 'unreadable' } };
  const { user } = editing(
    105,
    vi.fn(() => Promise.reject<Attachment>(Object.assign(new Error(), fault))),
  );
  await user.click(files().getByRole('button', { name: 'Attach' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('b.txt');
  expect(files().getByRole('button', { name: 'Open a.txt' })).toBeVisible();
  expect(resend()).toBeEnabled();
});

it('is not put away by Esc once its attachments were changed, and is as it was once it was', async () => {
  const { user, onClose, unmount } = editing(106);
  await user.click(files().getByRole('button', { name: 'Remove a.txt' }));
  screen.getByRole('textbox', { name: 'Edit the message' }).focus();
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  unmount();
  const again = editing(106);
  expect(files().queryByRole('button', { name: 'Open a.txt' })).not.toBeInTheDocument();
  await again.user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(again.onClose).toHaveBeenCalledOnce();
  again.unmount();
  editing(106);
  expect(files().getByRole('button', { name: 'Open a.txt' })).toBeVisible();
});

it('can be read and put away in a thread that has ended, and not be sent', async () => {
  const message = assistantMessage(107, { role: 'user', parts: [{ type: 'text', text: 'Look' }] });
  const edited = { message, sessionId: 1, readOnly: true, isRestored: true };
  const onClose = vi.fn();
  const onSave = vi.fn(() => Promise.resolve(true));
  const { user } = renderPart(<EditMessage {...{ edited, onSave, onClose }} />);
  expect(resend()).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('keeps an edit as a draft is kept, and no longer once it is put away', async () => {
  const message = assistantMessage(108, { role: 'user', parts: [{ type: 'text', text: 'Look' }] });
  const edited = { message, sessionId: 1, readOnly: false, isRestored: false };
  const saveEdit = vi.fn(() => Promise.resolve(null));
  const part = <EditMessage edited={edited} onSave={vi.fn()} onClose={nothing} />;
  const { user } = renderPart(part, backendWith({ saveEdit }));
  const unsaved = renderHook(() => useUnsavedInWindow().has('message 108')).result;
  await user.type(screen.getByRole('textbox', { name: 'Edit the message' }), ' twice');
  await waitFor(() => {
    expect(saveEdit).toHaveBeenLastCalledWith(108, { text: 'Look twice', attachments: null });
  });
  await waitFor(() => {
    expect(unsaved.current).toBe(false);
  });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(saveEdit).toHaveBeenLastCalledWith(108, { text: null, attachments: null });
});

it('takes up an edit that was kept by the window before, once', () => {
  const edit = { text: 'Look twice', attachments: null };
  const before = [{ messageId: 109, threadId: 1, edit }];
  loadUnsentEdits(1, before);
  const message = assistantMessage(109, { role: 'user', parts: [{ type: 'text', text: 'Look' }] });
  const edited = { message, sessionId: 1, readOnly: false, isRestored: true };
  renderPart(<EditMessage edited={edited} onSave={vi.fn()} onClose={nothing} />);
  expect(screen.getByRole('textbox', { name: 'Edit the message' })).toHaveValue('Look twice');
  discardEdit(109);
  loadUnsentEdits(1, before);
  expect(editChanges(109).words).toBeNull();
});
