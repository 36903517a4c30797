import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Backup, Error as AppError, StartupError as StartFaultView } from '../../ipc/bindings';
import { fakeBackend } from '../../../test/fakeBackend';
import { renderApp } from '../../../test/render';

const copy: Backup = { path: '/d/backups/a.db', reason: 'update', at: 0, bytes: 2_000_000 };

function start(error: AppError, backups: Backup[] = []) {
  let fault: StartFaultView | null = {
    error,
    appearance: {
      theme: 'system',
      language: 'english',
      zoom: 100,
      notices: 'never',
      spelling: 'checked',
      replySpeech: 'whole',
    },
    folder: '/d',
    backups,
  };
  const backend = fakeBackend();
  const begin = vi.fn<(path?: string) => Promise<null>>(() => {
    fault = null;
    return Promise.resolve(null);
  });
  Object.assign(backend.commands, {
    startFault: () => Promise.resolve(fault),
    startAgain: begin,
    startWithBackup: begin,
    startAnew: begin,
    version: () => Promise.resolve('0.1.0'),
  });
  const { user } = renderApp(backend);
  return { begin, user };
}

it.each<[AppError, string, boolean]>([
  [
    { kind: 'databaseNewer', path: '/d/skein.db', found: 9, known: 3 },
    'Your sessions were last opened by a newer Skein',
    true,
  ],
  [{ kind: 'databaseDamaged', path: '/d/skein.db', backup: null }, 'The database is damaged', true],
  [{ kind: 'databaseLocked', path: '/d/skein.db' }, 'Another program is using the database', false],
  [{ kind: 'diskFull', path: '/d/skein.lock' }, 'The data folder cannot be written to', false],
  [{ kind: 'diskFailing', path: '/d/skein.db' }, 'The disk may be failing', false],
  [{ kind: 'storage', detail: 'odd' }, 'Skein could not open its data', true],
])('says what is in the way: %j', async (error, title, replaceable) => {
  start(error, [copy]);
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent(/\/d\/skein|odd/);
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible();
  const others = ['Begin anew', /^Begin with the copy of/].map((name) =>
    screen.queryByRole('button', { name }),
  );
  expect(others.map(Boolean)).toEqual([replaceable, replaceable]);
});

it('names both formats and this version', async () => {
  start({ kind: 'databaseNewer', path: '/d/skein.db', found: 9, known: 3 });
  expect(await screen.findByRole('alert')).toHaveTextContent('format 9');
  expect(screen.getByRole('alert')).toHaveTextContent('up to 3');
  expect(await screen.findByText('This is Skein 0.1.0.')).toBeVisible();
});

it('offers first of all a copy in the place of a file that is damaged, and of no other', async () => {
  const older: Backup = { ...copy, path: '/d/backups/b.db', at: -60_000_000 };
  const offered = () =>
    screen.getAllByRole('button').map(({ dataset, textContent }) => [textContent, dataset.kind]);
  start({ kind: 'databaseDamaged', path: '/d/skein.db', backup: copy.path }, [copy, older]);
  await screen.findByRole('heading', { name: 'The database is damaged' });
  expect(offered()).toEqual([
    ['Begin with this copy', 'primary'],
    ['Begin with this copy', 'plain'],
    ['Try again', 'plain'],
    ['Show the folder', 'plain'],
    ['Begin anew', 'plain'],
  ]);
  cleanup();
  start({ kind: 'databaseNewer', path: '/d/skein.db', found: 9, known: 3 }, [copy]);
  await screen.findByRole('heading', { name: 'Your sessions were last opened by a newer Skein' });
  expect(offered()[0]).toEqual(['Try again', 'primary']);
});

it('begins with the copy that was chosen, and then shows the conversations', async () => {
  const damaged: AppError = { kind: 'databaseDamaged', path: '/d/skein.db', backup: copy.path };
  const { begin, user } = start(damaged, [copy]);
  await user.click(await screen.findByRole('button', { name: /^Begin with the copy of/ }));
  expect(begin).toHaveBeenCalledWith(copy.path);
  await waitFor(() => {
    expect(screen.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
  });
});
