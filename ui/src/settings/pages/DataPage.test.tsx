import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc';
import type { DeletedSession, Error as AppError, ImportStatus, Topic } from '../../ipc/bindings';
import { backendWith, renderPart } from '../../../test/render';
import { defaultSettings } from '../../../test/fakeBackend';
import { idleSessionItem } from '../../../test/fixtures/conversationFixtures';
import { DataPage } from './DataPage';

function open(
  status: ImportStatus,
  deleted: DeletedSession[] = [],
  uncopied: AppError | null = null,
) {
  const save = vi.fn();
  let here = [1];
  /** From now on these sessions are there. */
  const has = (...ids: number[]) => {
    here = ids;
    backend.tell([{ topic: 'sessions' }]);
  };
  const commands = {
    places: () =>
      Promise.resolve({
        config: '/c',
        data: '/d',
        database: '/d/skein.db',
        backups: [{ path: '/d/backups/a.db', reason: 'person', at: 0, bytes: 1_500_000 }],
        damage: null,
        uncopied,
        cutImport: null,
        moved: null,
      }),
    importStatus: () => Promise.resolve(status),
    importFile: vi.fn(() => Promise.resolve(null)),
    cancelImport: vi.fn(() => Promise.resolve(null)),
    examineBackup: vi.fn(() => Promise.resolve({ sessions: 2, messages: 31, lastAt: null })),
    restore: vi.fn(() => Promise.resolve(null)),
    deletedSessions: () => Promise.resolve(deleted),
    deletedMessages: vi.fn(() =>
      Promise.resolve([
        {
          deletion: 7,
          words: 'Warp and weft',
          session: 1,
          title: 'Loom',
          deletedAt: 0,
          keptUntil: 9,
        },
      ]),
    ),
    restoreMessage: vi.fn(() => Promise.resolve(null)),
    purgeSession: vi.fn(() => Promise.resolve(null)),
    sessions: () => Promise.resolve(here.map((id) => ({ ...idleSessionItem, id }))),
    deleteSessions: vi.fn((ids: number[]) => {
      has(...here.filter((id) => !ids.includes(id)));
      return Promise.resolve(null);
    }),
    restoreSessions: vi.fn((ids: number[]) => {
      deleted = deleted.filter(({ id }) => !ids.includes(id));
      has(...here, ...ids);
      return Promise.resolve(null);
    }),
  };
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  const backend = {
    ...backendWith(commands as unknown as Partial<Backend['commands']>),
    changes: (hear: typeof tell) => {
      tell = hear;
      return () => undefined;
    },
    tell: (topics: readonly Topic[]) => {
      tell(topics);
    },
  };
  backend.desktop.pickFile = () => Promise.resolve('/f/chats.zip');
  const page = <DataPage settings={defaultSettings} save={save} />;
  return { commands, has, save, ...renderPart(page, backend) };
}

it('imports the file that was chosen', async () => {
  const { commands, user } = open({ type: 'idle' });
  await user.click(await screen.findByRole('button', { name: 'Import…' }));
  expect(commands.importFile).toHaveBeenCalledWith('/f/chats.zip');
});

it('says of an import that failed no longer than until the next', async () => {
  const { commands, user } = open({ type: 'idle' });
  commands.importFile.mockRejectedValueOnce({
    kind: 'badFile',
    name: 'bad.json',
    fault: { type: 'cutOff' },
  });
  const bringIn = await screen.findByRole('button', { name: 'Import…' });
  await user.click(bringIn);
  expect(await screen.findByRole('alert')).toHaveTextContent('bad.json');
  await user.click(bringIn);
  await waitFor(() => {
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
  expect(commands.importFile).toHaveBeenCalledTimes(2);
});

it('says how far an import is, and stops it', async () => {
  const { commands, user } = open({ type: 'adding', name: 'chats.zip', done: 3, total: 40 });
  expect(await screen.findByText('chats.zip: session 3 of 40…')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Import…' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Cancel the import' }));
  expect(commands.cancelImport).toHaveBeenCalled();
});

it('says what came, what did not, and why', async () => {
  const { user } = open({
    type: 'ended',
    name: 'chats.zip',
    reports: [
      {
        title: 'A',
        outcome: { type: 'imported', sessionId: 1, messages: 5, missing: 2, unplaced: 1 },
      },
      { title: 'B', outcome: { type: 'empty' } },
      {
        title: 'C',
        outcome: { type: 'unreadable', fault: { type: 'misbuilt', detail: 'no mapping' } },
      },
      { title: 'D.json', outcome: { type: 'unreadable', fault: { type: 'cutOff' } } },
    ],
  });
  expect(
    await screen.findByText('Imported 1 session with 5 messages from chats.zip.'),
  ).toBeVisible();
  expect(
    screen.getByText('2 attachments are mentioned in the file, but not included.'),
  ).toBeVisible();
  expect(
    screen.getByText(
      '1 version of a thread was left out: the message it begins at is not in the file.',
    ),
  ).toBeVisible();
  expect(screen.getByText('“B” has no messages.')).toBeVisible();
  expect(screen.getByText(/^“C” is not in the expected format/)).toBeVisible();
  expect(screen.getByText(/^D\.json ends in the middle/)).toBeVisible();
  expect(screen.queryByText('no mapping')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'What went wrong' }));
  expect(screen.getByText('no mapping')).toBeVisible();
});

it('takes an import back, what of it is still here, and brings that in again', async () => {
  const came = (sessionId: number) => ({
    title: 'Wool',
    outcome: { type: 'imported' as const, sessionId, messages: 1, missing: 0, unplaced: 0 },
  });
  const { commands, has, user } = open({
    type: 'ended',
    name: 'chats.zip',
    reports: [came(3), came(4), came(5), { title: 'B', outcome: { type: 'empty' } }],
  });
  // The last one was deleted since, the first was there before.
  has(1, 3, 4);
  const takeBack = { name: 'Take this import back' };
  await user.click(await screen.findByRole('button', takeBack));
  expect(commands.deleteSessions).toHaveBeenCalledExactlyOnceWith([3, 4]);
  expect(await screen.findByText('2 sessions were deleted.')).toBeVisible();
  await waitFor(() => {
    expect(screen.queryByRole('button', takeBack)).not.toBeInTheDocument();
  });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(commands.restoreSessions).toHaveBeenCalledExactlyOnceWith([3, 4]);
  expect(await screen.findByRole('button', takeBack)).toBeVisible();
});

it('restores a copy only after saying what it holds', async () => {
  const { commands, user } = open({ type: 'idle' });
  await user.click(await screen.findByRole('button', { name: /^Restore the copy of/ }));
  expect(await screen.findByText(/It holds 2 sessions with 31 messages/)).toBeVisible();
  expect(commands.restore).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Restore and restart' }));
  expect(commands.restore).toHaveBeenCalledWith('/d/backups/a.db');
});

it('looks into one copy at a time, and restores it once', async () => {
  const { commands, user } = open({ type: 'idle' });
  let looked: (content: { sessions: number; messages: number; lastAt: null }) => void = () =>
    undefined;
  commands.examineBackup.mockReturnValueOnce(
    new Promise((resolve) => {
      looked = resolve;
    }),
  );
  const restore = await screen.findByRole('button', { name: /^Restore the copy of/ });
  await user.dblClick(restore);
  expect(restore).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Restore from a file…' })).toBeDisabled();
  expect(commands.examineBackup).toHaveBeenCalledOnce();
  looked({ sessions: 2, messages: 31, lastAt: null });
  commands.restore.mockReturnValue(new Promise(() => undefined));
  const now = await screen.findByRole('button', { name: 'Restore and restart' });
  expect(restore).toBeEnabled();
  await user.dblClick(now);
  expect(now).toBeDisabled();
  expect(commands.restore).toHaveBeenCalledOnce();
});

it('does not let go of a restore that runs, and of one that failed', async () => {
  const { commands, user } = open({ type: 'idle' });
  let fail: (why: unknown) => void = () => undefined;
  commands.restore.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
  await user.click(await screen.findByRole('button', { name: /^Restore the copy of/ }));
  await user.click(await screen.findByRole('button', { name: 'Restore and restart' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Restore a copy' }));
  expect(dialog.getByText(/^Restoring…/)).toBeVisible();
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.getByRole('dialog', { name: 'Restore a copy' })).toBeVisible();
  fail({ kind: 'diskFull', path: '/d' });
  await waitFor(() => {
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  });
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog', { name: 'Restore a copy' })).toBeNull();
});

it('says what is being done while nothing else can be', async () => {
  const { commands, user } = open({ type: 'idle' });
  commands.examineBackup.mockReturnValueOnce(new Promise(() => undefined));
  await user.click(await screen.findByRole('button', { name: /^Restore the copy of/ }));
  expect(screen.getByText('Looking into the copy…')).toBeVisible();
});

it('copies daily unless that is switched off, and says for as long as it is so why not', async () => {
  const { save, user } = open({ type: 'idle' }, [], { kind: 'diskFull', path: '/d/backups' });
  expect(await screen.findByText(/^The daily copy could not be made/)).toHaveTextContent(
    '/d/backups cannot be written: the disk is full or read-only, or you may not write there. Make room or check the permissions, then try again.',
  );
  const daily = screen.getByRole('switch', { name: 'Copy the database daily' });
  expect(daily).toBeChecked();
  await user.click(daily);
  const [change] = save.mock.calls[0] as [(old: typeof defaultSettings) => typeof defaultSettings];
  expect(change(defaultSettings)).toEqual({ ...defaultSettings, dailyBackup: false });
});

it('lists what was deleted with its time, brings it back, and deletes for good what is asked twice', async () => {
  const day = 24 * 60 * 60 * 1_000;
  const wool: DeletedSession = {
    id: 7,
    title: 'Wool',
    messages: 41,
    deletedAt: day,
    keptUntil: 31 * day,
  };
  const others = [
    { ...wool, id: 8, title: null },
    { ...wool, id: 9, title: 'Silk' },
  ];
  const { commands, user } = open({ type: 'idle' }, [wool, ...others]);
  const section = await screen.findByRole('region', { name: 'Deleted sessions' });
  const lines = await within(section).findAllByRole('listitem');
  expect(lines[0]).toHaveTextContent(
    /41 messages · deleted Jan 2, 1970.* · kept until Feb 1, 1970/,
  );

  await user.click(within(section).getByRole('button', { name: 'Restore “Wool”' }));
  expect(commands.restoreSessions).toHaveBeenCalledExactlyOnceWith([7]);
  await waitFor(() => {
    expect(within(section).queryByText('Wool')).not.toBeInTheDocument();
  });

  const purge = () =>
    user.click(within(section).getByRole('button', { name: 'Delete “New session” for good…' }));
  await purge();
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(commands.purgeSession).not.toHaveBeenCalled();
  await purge();
  await user.click(await screen.findByRole('button', { name: 'Delete for good' }));
  expect(commands.purgeSession).toHaveBeenCalledExactlyOnceWith(8);

  await user.click(within(section).getByRole('button', { name: 'Restore all' }));
  expect(commands.restoreSessions).toHaveBeenLastCalledWith([8, 9]);
  expect(await screen.findByText('2 sessions were restored.')).toBeVisible();
});

it('says last where everything is kept, under a heading', async () => {
  open({ type: 'idle' });
  await screen.findByText('/d/skein.db');
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual([
    'Import and export',
    'Copies of the database',
    'Deleted sessions',
    'Deleted messages',
    'Where everything is kept',
  ]);
});

it('says what else belongs to the database while the program runs', async () => {
  open({ type: 'idle' });
  expect(
    await screen.findByText(/skein\.db-wal, skein\.db-shm beside it belong to it/),
  ).toBeVisible();
});

it('says so where nothing was deleted', async () => {
  open({ type: 'idle' });
  expect(await screen.findByText('Nothing was deleted in the last 30 days.')).toBeVisible();
});

it('brings a deleted message back, also after a restart', async () => {
  const { commands, user } = open({ type: 'idle' });
  const messages = await screen.findByRole('region', { name: 'Deleted messages' });
  const restore = await within(messages).findByRole('button', {
    name: 'Restore the message “Warp and weft”',
  });
  expect(messages).toHaveTextContent('From “Loom”');
  await user.click(restore);
  expect(commands.restoreMessage).toHaveBeenCalledWith(7);
  expect(await screen.findByText('The message is back in “Loom”.')).toBeVisible();
});
