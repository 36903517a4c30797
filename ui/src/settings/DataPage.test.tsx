import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Backend } from '../ipc';
import type { ImportStatus } from '../ipc/bindings';
import { answering, show } from '../../test-show';
import { DataPage } from './DataPage';

function open(status: ImportStatus) {
  const commands = {
    places: () =>
      Promise.resolve({
        config: '/c',
        data: '/d',
        database: '/d/skein.db',
        backups: [{ path: '/d/backups/a.db', reason: 'person', at: 0, bytes: 1_500_000 }],
      }),
    importStatus: () => Promise.resolve(status),
    importFile: vi.fn(() => Promise.resolve(null)),
    cancelImport: vi.fn(() => Promise.resolve(null)),
    examineBackup: () => Promise.resolve({ sessions: 2, messages: 31, lastAt: null }),
    restore: vi.fn(() => Promise.resolve(null)),
  };
  const backend = answering(commands as unknown as Partial<Backend['commands']>);
  backend.desktop.pickFile = () => Promise.resolve('/f/chats.zip');
  return { commands, ...show(<DataPage />, backend) };
}

it('imports the file that was chosen', async () => {
  const { commands, person } = open({ type: 'idle' });
  await person.click(await screen.findByRole('button', { name: 'Import…' }));
  expect(commands.importFile).toHaveBeenCalledWith('/f/chats.zip');
});

it('says how far an import is, and stops it', async () => {
  const { commands, person } = open({ type: 'adding', name: 'chats.zip', done: 3, total: 40 });
  expect(await screen.findByText('chats.zip: session 3 of 40…')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Import…' })).toBeDisabled();
  await person.click(screen.getByRole('button', { name: 'Cancel the import' }));
  expect(commands.cancelImport).toHaveBeenCalled();
});

it('says what came, what did not, and why', async () => {
  open({
    type: 'ended',
    name: 'chats.zip',
    reports: [
      {
        title: 'A',
        outcome: { type: 'imported', sessionId: 1, messages: 5, missing: 2, unplaced: 1 },
      },
      { title: 'B', outcome: { type: 'empty' } },
      { title: 'C', outcome: { type: 'unreadable', detail: 'no mapping' } },
    ],
  });
  expect(
    await screen.findByText('From chats.zip: 1 session with 5 messages brought in.'),
  ).toBeVisible();
  expect(screen.getByText('2 attachments are named in the file but not in it.')).toBeVisible();
  expect(
    screen.getByText('1 branch was left out: the message it begins at is not in the file.'),
  ).toBeVisible();
  expect(screen.getByText('“B”: nobody says anything in it.')).toBeVisible();
  expect(screen.getByText('“C” cannot be read (no mapping).')).toBeVisible();
});

it('restores a copy only after saying what it holds', async () => {
  const { commands, person } = open({ type: 'idle' });
  await person.click(await screen.findByRole('button', { name: /^Restore the copy of/ }));
  expect(await screen.findByText(/It holds 2 sessions with 31 messages/)).toBeVisible();
  expect(commands.restore).not.toHaveBeenCalled();
  await person.click(screen.getByRole('button', { name: 'Restore and start over' }));
  expect(commands.restore).toHaveBeenCalledWith('/d/backups/a.db');
});
