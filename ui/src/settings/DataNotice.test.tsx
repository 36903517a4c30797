import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { PlacesView, Topic } from '../ipc/bindings';
import { answering, show, showWindow } from '../../test-show';
import { DataNotice } from './DataNotice';

const whole: PlacesView = {
  config: '/c',
  data: '/d',
  database: '/d/skein.db',
  backups: [],
  damage: null,
};
const damaged: PlacesView = {
  ...whole,
  damage: { kind: 'databaseDamaged', path: '/d/skein.db', backup: '/d/backups/a.db' },
};

it('says in the window that the database was found damaged while it is open', async () => {
  let places = whole;
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  showWindow({
    ...answering({ places: () => Promise.resolve(places) }),
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

it('leads to the copies', async () => {
  const onCopies = vi.fn();
  const backend = answering({ places: () => Promise.resolve(damaged) });
  const { person } = show(<DataNotice onCopies={onCopies} />, backend);
  await person.click(await screen.findByRole('button', { name: 'Show the copies' }));
  expect(onCopies).toHaveBeenCalledOnce();
});
