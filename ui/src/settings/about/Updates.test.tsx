import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Settings, UpdateFault, UpdateState, UpdatesView } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import { Updates } from './Updates';

const host = 'updates.example.org';

function open(
  state: UpdateState,
  view: Partial<UpdatesView> = {},
  settings: Settings = { ...defaultSettings, updateHost: host },
) {
  const whole: UpdatesView = {
    host,
    version: '0.1.0',
    isPackaged: false,
    state,
    wayBack: null,
    returned: null,
    ...view,
  };
  const commands = {
    updates: () => Promise.resolve(whole),
    updateProgram: vi.fn(() => Promise.resolve(null)),
  };
  const save = vi.fn<(change: (old: Settings) => Settings) => void>();
  const backend = backendWith(commands);
  const { user } = renderPart(<Updates settings={settings} save={save} />, backend);
  return { commands, save, user };
}

it('says that a build without an address does not update itself, and has no switch', async () => {
  open({ type: 'idle' }, { host: null });
  expect(await screen.findByText('This build does not update itself.')).toBeVisible();
  expect(screen.queryByRole('switch')).toBeNull();
});

it('names the host before anything is asked, and agrees to that host alone', async () => {
  const { save, user, commands } = open({ type: 'idle' }, {}, defaultSettings);
  const agree = await screen.findByRole('switch', { name: 'Look for updates once a day' });
  expect(screen.getByText(/Nobody but updates\.example\.org is asked/)).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
  await user.click(agree);
  expect(save.mock.calls[0]?.[0](defaultSettings).updateHost).toBe(host);
  expect(commands.updateProgram).not.toHaveBeenCalled();
});

it('installs only when told to', async () => {
  const found = open({ type: 'available', version: '0.2.0', notes: '**Warmer** <b>wool</b>.' });
  expect(await screen.findByText('Skein 0.2.0 is available.')).toBeVisible();
  await found.user.click(screen.getByRole('button', { name: 'Install and restart' }));
  expect(found.commands.updateProgram).toHaveBeenCalledWith('install');
});

it('tells the progress of a download in words', async () => {
  const { user, commands } = open({ type: 'downloading', received: 12e6, total: 57e6 });
  expect(await screen.findByText('Downloading: 12 MB of 57 MB…')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(commands.updateProgram).toHaveBeenCalledWith('cancel');
});

it.each<[UpdateFault, RegExp]>([
  [{ type: 'unreachable', host }, /cannot be reached\. Check the network/],
  [{ type: 'badSignature' }, /does not have the right signature/],
  [{ type: 'otherVersion' }, /signed as another version/],
  [{ type: 'otherHost', host: 'evil.example' }, /evil\.example, a host that you did not agree to/],
  [{ type: 'file', error: { kind: 'diskFull', path: '/d' } }, /This version keeps running\./],
])('says what to do after %j', async (fault, words) => {
  open({ type: 'failed', fault });
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Look now' })).toBeEnabled();
});

it('says that a package for the package manager is only downloaded', async () => {
  const state = { type: 'available', version: '0.2.0', notes: null } as const;
  const { user, commands } = open(state, { isPackaged: true });
  await user.click(await screen.findByRole('button', { name: 'Download' }));
  expect(commands.updateProgram).toHaveBeenCalledWith('install');
  expect(screen.queryByText(/the database is copied first/)).toBeNull();
});

it('shows the command of the package manager', async () => {
  open({ type: 'packaged', version: '0.2.0', command: "sudo apt install '/d/skein.deb'" });
  expect(await screen.findByText("sudo apt install '/d/skein.deb'")).toBeVisible();
});

it('tells how the package manager goes back, and lets the user stay', async () => {
  const asked = open({ type: 'idle' }, { wayBack: '0.0.9', isPackaged: true });
  await asked.user.click(await screen.findByRole('button', { name: 'Go back to version 0.0.9…' }));
  await asked.user.click(screen.getByRole('button', { name: 'Export and show the command' }));
  expect(asked.commands.updateProgram).toHaveBeenCalledWith('goBack');

  const command = "sudo apt install --allow-downgrades '/d/skein-0.0.9.deb'";
  const staged = open({ type: 'returnStaged', version: '0.0.9', command });
  expect(await screen.findByText(command)).toBeVisible();
  await staged.user.click(screen.getByRole('button', { name: 'Stay with version 0.1.0' }));
  expect(staged.commands.updateProgram).toHaveBeenCalledWith('cancel');
});

it('asks before it goes back', async () => {
  const { user, commands } = open({ type: 'idle' }, { wayBack: '0.0.9' });
  await user.click(await screen.findByRole('button', { name: 'Go back to version 0.0.9…' }));
  expect(commands.updateProgram).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Go back and restart' }));
  expect(commands.updateProgram).toHaveBeenCalledWith('goBack');
});
