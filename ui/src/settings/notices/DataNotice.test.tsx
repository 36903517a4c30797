import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { DataLocations, Topic } from '../../ipc/bindings';
import { backendWith, renderPart, renderApp } from '../../../test/render';
import { DataNotice } from './DataNotice';

const whole: DataLocations = {
  config: '/c',
  data: '/d',
  database: '/d/skein.db',
  backups: [],
  damage: null,
  uncopied: null,
  cutImport: null,
  moved: null,
};
const damaged: DataLocations = {
  ...whole,
  damage: { kind: 'databaseDamaged', path: '/d/skein.db', backup: '/d/backups/a.db' },
};

it('says in the window that the database was found damaged while it is open', async () => {
  let places = whole;
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  renderApp({
    ...backendWith({ places: () => Promise.resolve(places) }),
    changes: (hear) => {
      tell = hear;
      return () => undefined;
    },
  });
  await screen.findByRole('navigation', { name: 'Sessions' });
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();

  places = damaged;
  tell([{ topic: 'data' }]);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '/d/skein.db is damaged. The latest copy: /d/backups/a.db.',
  );
});

it('says once that the daily copy cannot be made, and is quiet when that was read', async () => {
  const full = { kind: 'diskFull', path: '/d/backups' } as const;
  const backend = backendWith({ places: () => Promise.resolve({ ...whole, uncopied: full }) });
  const { user } = renderPart(<DataNotice onCopies={vi.fn()} />, backend);
  const notice = await screen.findByRole('status');
  expect(notice).toHaveTextContent(
    'The daily copy could not be made, and is tried again every hour.',
  );
  expect(notice).toHaveTextContent('/d/backups cannot be written');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

it('asks for nothing that is tried again by itself', async () => {
  const odd = { kind: 'storage', detail: '/d/backups: File exists.' } as const;
  const backend = backendWith({ places: () => Promise.resolve({ ...whole, uncopied: odd }) });
  renderPart(<DataNotice onCopies={vi.fn()} />, backend);
  const notice = await screen.findByRole('status');
  expect(notice).toHaveTextContent('tried again every hour. /d/backups: File exists.');
  expect(notice).not.toHaveTextContent('Your messages are safe');
});

it('leads to the copies', async () => {
  const onCopies = vi.fn();
  const backend = backendWith({ places: () => Promise.resolve(damaged) });
  const { user } = renderPart(<DataNotice onCopies={onCopies} />, backend);
  await user.click(await screen.findByRole('button', { name: 'Show the copies' }));
  expect(onCopies).toHaveBeenCalledOnce();
});

it('says that the database is no longer in its place, and saves everything elsewhere', async () => {
  const moved = { kind: 'databaseMoved', path: '/d/skein.db' } as const;
  const backend = backendWith({
    places: () => Promise.resolve({ ...whole, moved }),
    saveCopy: vi.fn(() => Promise.resolve(null)),
  });
  backend.desktop.pickTarget = () => Promise.resolve('/stick/skein.db');
  const { user } = renderPart(<DataNotice onCopies={vi.fn()} />, backend);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    '/d/skein.db is no longer where it was',
  );
  await user.click(screen.getByRole('button', { name: 'Save a copy…' }));
  expect(backend.commands.saveCopy).toHaveBeenCalledExactlyOnceWith('/stick/skein.db');
  expect(await screen.findByText('Everything is saved in /stick/skein.db.')).toBeVisible();
});

it('says what a start took out of an import that was cut off, until that was read', async () => {
  const cutImport = { sessions: 12, messages: 1_202 };
  const backend = backendWith({ places: () => Promise.resolve({ ...whole, cutImport }) });
  const { user } = renderPart(<DataNotice onCopies={vi.fn()} />, backend);
  expect(await screen.findByRole('status')).toHaveTextContent(
    'The 12 sessions that had arrived, with 1,202 messages, were taken out again',
  );
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});
