import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { McpServerStatus } from '../ipc/bindings';
import { plainSettings } from '../ipc/memory';
import { McpServer } from './McpServer';

const remote: McpServerStatus = {
  name: 'remote',
  state: { type: 'failed', fault: { type: 'unauthorized' }, retryAt: null },
  signIn: { type: 'offered' },
  stderr: [],
  tools: [],
  prompts: [],
  resources: [],
};

const page = { settings: plainSettings, save: vi.fn(), session: null };

it('signs in when the person asks to, waits for the browser, and stops when they want', async () => {
  let end: (reason: Error) => void = () => undefined;
  const signInMcpServer = vi.fn(
    () =>
      new Promise<null>((_, reject) => {
        end = reject;
      }),
  );
  const cancelMcpSignIn = vi.fn(() => {
    end(Object.assign(new Error(), { kind: 'notSignedIn', reason: { type: 'cancelled' } }));
    return Promise.resolve();
  });
  const { person } = show(
    <McpServer server={remote} tools={[]} page={page} />,
    answering({ signInMcpServer, cancelMcpSignIn }),
  );
  expect(screen.getByText(/It wants you to sign in/)).toBeVisible();
  expect(signInMcpServer).not.toHaveBeenCalled();
  await person.click(screen.getByRole('button', { name: 'Sign in…' }));
  expect(signInMcpServer.mock.calls).toEqual([
    [
      'remote',
      {
        done: 'Skein is signed in. You can close this page.',
        failed: 'Skein is not signed in. It says there why.',
      },
    ],
  ]);
  await person.click(screen.getByRole('button', { name: 'Stop' }));
  expect(cancelMcpSignIn.mock.calls).toEqual([['remote']]);
  expect(await screen.findByText('The sign-in was stopped.')).toBeVisible();
  await waitFor(() => {
    expect(screen.getByRole('button', { name: 'Sign in…' })).toBeVisible();
  });
});

it('signs out of a server it is signed in to', async () => {
  const signOutMcpServer = vi.fn(() => Promise.resolve(null));
  const server: McpServerStatus = { ...remote, state: { type: 'ready' }, signIn: { type: 'done' } };
  const { person } = show(
    <McpServer server={server} tools={[]} page={page} />,
    answering({ signOutMcpServer }),
  );
  await person.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(signOutMcpServer.mock.calls).toEqual([['remote']]);
});
