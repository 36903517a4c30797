import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ImportStatus, UpdatesView } from '../../ipc/bindings';
import { backendWith, renderPart } from '../../../test/render';
import { UpdateNotice } from './UpdateNotice';

const returned: UpdatesView = {
  host: 'updates.example.org',
  version: '0.1.0',
  isPackaged: false,
  state: { type: 'idle' },
  wayBack: null,
  returned: { from: '0.2.0', export: '/d/written.zip', sessions: 2 },
};

function open(view: UpdatesView, status: ImportStatus) {
  const commands = {
    updates: () => Promise.resolve(view),
    importFile: vi.fn(() => Promise.resolve(null)),
    importStatus: vi.fn(() => Promise.resolve(status)),
    updateProgram: vi.fn(() => Promise.resolve(null)),
  };
  const { user } = renderPart(<UpdateNotice />, backendWith(commands));
  return { commands, user };
}

it('k04 removes the notice when everything was imported', async () => {
  const { commands, user } = open(returned, { type: 'ended', name: 'written.zip', reports: [] });
  expect(await screen.findByText(/2 sessions changed with that version/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Import them' }));
  await waitFor(() => {
    expect(commands.updateProgram).toHaveBeenCalledWith('dismissReturn');
  });
  expect(commands.importFile).toHaveBeenCalledWith('/d/written.zip');
});

it('k04 keeps the notice when the import was cancelled', async () => {
  const { commands, user } = open(returned, { type: 'idle' });
  await user.click(await screen.findByRole('button', { name: 'Import them' }));
  await waitFor(() => {
    expect(commands.importStatus).toHaveBeenCalled();
  });
  expect(commands.updateProgram).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: 'Import them' })).toBeVisible();
});

it('tells of a newer version until that is dismissed', async () => {
  const state = { type: 'available', version: '0.2.0', notes: null } as const;
  const { user } = open({ ...returned, returned: null, state }, { type: 'idle' });
  expect(await screen.findByText(/Skein 0\.2\.0 is available/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/Skein 0\.2\.0 is available/)).not.toBeInTheDocument();
});
