import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import type { Backend } from '../ipc';
import type { Attachment } from '../ipc/bindings';
import { AttachmentViewer } from './AttachmentViewer';

const words = `${'a'.repeat(100_000)}\nthe end`;
const file: Attachment = {
  type: 'file',
  blob: 7,
  name: 'notes.txt',
  mediaType: 'text/plain',
  bytes: words.length,
};
const picture: Attachment = {
  type: 'image',
  blob: 8,
  name: 'loom.png',
  mediaType: 'image/png',
  width: 4,
  height: 4,
  bytes: 70,
};

it('shows all of a picture under its name, and copies it', async () => {
  const copyPicture = vi.fn(() => Promise.resolve());
  const backend = backendWith({ picture: () => Promise.resolve('AA==') });
  backend.desktop.copyPicture = copyPicture;
  const { user } = renderPart(<AttachmentViewer part={picture} onClose={vi.fn()} />, backend);
  expect(screen.getByRole('dialog', { name: 'loom.png' })).toHaveTextContent('Loading…');
  const seen = await screen.findByRole('img', { name: 'loom.png' });
  expect(seen).toHaveAttribute('src', 'data:image/png;base64,AA==');
  expect(screen.queryByText('Loading…')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Full size' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(copyPicture).toHaveBeenCalledExactlyOnceWith('data:image/png;base64,AA==');
});

it('says that a document is being read, and copies nothing before it is', async () => {
  let read: (words: string) => void = () => undefined;
  const attachedText = () => new Promise<string>((resolve) => (read = resolve));
  renderPart(<AttachmentViewer part={file} onClose={vi.fn()} />, backendWith({ attachedText }));
  const dialog = screen.getByRole('dialog', { name: 'notes.txt' });
  expect(dialog).toHaveTextContent('Loading…');
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
  await waitFor(() => {
    read('Wool');
    expect(dialog).toHaveTextContent('Wool');
  });
  expect(dialog).not.toHaveTextContent('Loading…');
  expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible();
});

it('says beside each other what a document is and how large', async () => {
  const report = { ...file, name: 'report.pdf', mediaType: 'application/pdf', bytes: 2_200 };
  const attachedText = () => Promise.resolve('Wool');
  const backend = backendWith({ attachedText, attachedPages: () => Promise.resolve(2) });
  renderPart(<AttachmentViewer part={report} onClose={vi.fn()} />, backend);
  expect(await screen.findByText('PDF, 2 pages · 2.2 kB')).toBeVisible();
});

it('shows a picture that is larger than the window at its own size where that is asked for', async () => {
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(2_560);
  vi.spyOn(HTMLImageElement.prototype, 'width', 'get').mockReturnValue(912);
  const backend = backendWith({ picture: () => Promise.resolve('AA==') });
  const { user } = renderPart(<AttachmentViewer part={picture} onClose={vi.fn()} />, backend);
  const seen = await screen.findByRole('img', { name: 'loom.png' });
  fireEvent.load(seen);
  await user.click(screen.getByRole('button', { name: 'Full size' }));
  expect(seen).toHaveAttribute('data-full');
  await user.click(screen.getByRole('button', { name: 'Fit to the window' }));
  expect(seen).not.toHaveAttribute('data-full');
});

it('says of a picture that it could not be read', async () => {
  const backend = backendWith({ picture: () => Promise.reject(new Error('the disk is gone')) });
  renderPart(<AttachmentViewer part={picture} onClose={vi.fn()} />, backend);
  expect(await screen.findByRole('alert')).toHaveTextContent('It could not be read.');
  expect(screen.queryByText('Loading…')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
});

it('cuts no character of a long text in two, and breaks no line where a stretch ends', async () => {
  const many = `a${'\u{1f9f6}'.repeat(100_000)}`;
  const { user } = renderPart(
    <AttachmentViewer part={file} onClose={vi.fn()} />,
    backendWith({ attachedText: () => Promise.resolve(many) }),
  );
  const seen = (await screen.findByText(/^a/)).closest('pre');
  // Half a character has no address.
  expect(() => encodeURIComponent(seen?.textContent ?? '')).not.toThrow();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(seen?.textContent).toBe(many);
});

it('shows a long text in stretches and copies all of it', async () => {
  const copyText = vi.fn(() => Promise.resolve());
  const backend = backendWith({ attachedText: () => Promise.resolve(words) });
  backend.desktop.copyText = copyText;
  const { user } = renderPart(<AttachmentViewer part={file} onClose={vi.fn()} />, backend);
  expect(screen.queryByText('the end', { exact: false })).not.toBeInTheDocument();
  const more = await screen.findByRole('button', { name: 'Show more' });
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(copyText).toHaveBeenCalledExactlyOnceWith(words);
  await user.click(more);
  expect(screen.getByText('the end', { exact: false })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
});

it('is written where the person chooses, and nowhere where they cancel', async () => {
  const saveAttachment = vi.fn(() => Promise.resolve(null));
  const pickTarget = vi
    .fn<Backend['desktop']['pickTarget']>()
    .mockResolvedValueOnce(null)
    .mockResolvedValueOnce('/home/a/notes.txt');
  const attachedText = () => Promise.resolve(words);
  const backend = backendWith({ saveAttachment, attachedText });
  backend.desktop.pickTarget = pickTarget;
  const { user } = renderPart(<AttachmentViewer part={file} onClose={vi.fn()} />, backend);
  await user.click(screen.getByRole('button', { name: 'Save as…' }));
  expect(saveAttachment).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Save as…' }));
  await waitFor(() => {
    expect(screen.getByText('Saved as /home/a/notes.txt.')).toBeVisible();
  });
  expect(saveAttachment).toHaveBeenCalledExactlyOnceWith(7, '/home/a/notes.txt');
});

it('says of a text that it could not be read', async () => {
  const gone = { kind: 'storage', detail: 'the disk is gone' };
  const attachedText = () => Promise.reject(Object.assign(new Error(), gone));
  renderPart(<AttachmentViewer part={file} onClose={vi.fn()} />, backendWith({ attachedText }));
  expect(await screen.findByRole('alert')).toHaveTextContent('the disk is gone');
});
