import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { Backend } from '../ipc';
import { AttachmentViewer } from './AttachmentViewer';
import type { Attachment } from './picture';

const words = `${'a'.repeat(100_000)}\nthe end`;
const file: Attachment = {
  type: 'file',
  blob: 7,
  name: 'notes.txt',
  mediaType: 'text/plain',
  text: words,
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

it('shows a picture at its size, under its name', async () => {
  show(
    <AttachmentViewer part={picture} onClose={vi.fn()} />,
    answering({ picture: () => Promise.resolve('AA==') }),
  );
  expect(screen.getByRole('dialog', { name: 'loom.png' })).toBeVisible();
  expect(await screen.findByRole('img', { name: 'loom.png' })).toHaveAttribute(
    'src',
    'data:image/png;base64,AA==',
  );
});

it('shows a long text in stretches and copies all of it', async () => {
  const copyText = vi.fn(() => Promise.resolve());
  const backend = answering({});
  backend.desktop.copyText = copyText;
  const { person } = show(<AttachmentViewer part={file} onClose={vi.fn()} />, backend);
  expect(screen.queryByText('the end', { exact: false })).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Copy' }));
  expect(copyText).toHaveBeenCalledExactlyOnceWith(words);
  await person.click(screen.getByRole('button', { name: 'Show more' }));
  expect(screen.getByText('the end', { exact: false })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
});

it('is written where the person chooses, and nowhere where they cancel', async () => {
  const saveAttachment = vi.fn(() => Promise.resolve(null));
  const pickTarget = vi
    .fn<Backend['desktop']['pickTarget']>()
    .mockResolvedValueOnce(null)
    .mockResolvedValueOnce('/home/a/notes.txt');
  const backend = answering({ saveAttachment });
  backend.desktop.pickTarget = pickTarget;
  const { person } = show(<AttachmentViewer part={file} onClose={vi.fn()} />, backend);
  await person.click(screen.getByRole('button', { name: 'Save as…' }));
  expect(saveAttachment).not.toHaveBeenCalled();
  await person.click(screen.getByRole('button', { name: 'Save as…' }));
  await waitFor(() => {
    expect(screen.getByText('Saved as /home/a/notes.txt.')).toBeVisible();
  });
  expect(saveAttachment).toHaveBeenCalledExactlyOnceWith(7, '/home/a/notes.txt');
});
