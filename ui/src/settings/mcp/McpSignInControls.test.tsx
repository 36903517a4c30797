import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { McpServerStatus } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { readyMcpServer } from '../../../test/fixtures/mcpServerFixture';
import { McpServerCard } from './McpServerCard';

const remote: McpServerStatus = {
  ...readyMcpServer,
  name: 'remote',
  state: { type: 'failed', fault: { type: 'unauthorized' }, retryAt: null },
  signIn: { type: 'offered' },
};

const page = { settings: defaultSettings, save: vi.fn(), session: null };

const button = (name: string) => screen.queryByRole('button', { name });

const notSignedIn = (reason: { type: string; detail?: string }) =>
  Object.assign(new Error(), { kind: 'notSignedIn', reason });

it('signs in when the person asks to', async () => {
  const signInMcpServer = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(
    <McpServerCard server={remote} tools={[]} page={page} />,
    backendWith({ signInMcpServer }),
  );
  expect(screen.getByText(/It wants you to sign in/)).toBeVisible();
  expect(button('Sign out')).toBeNull();
  expect(signInMcpServer).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Sign in…' }));
  expect(signInMcpServer.mock.calls).toEqual([
    [
      'remote',
      {
        done: 'Skein is signed in. You can close this page.',
        failed: 'Skein is not signed in. Go back to Skein: it says why.',
      },
    ],
  ]);
});

it('says that a server is tried again where it is, and leaves no gap where it is not', () => {
  const state = { type: 'failed', fault: { type: 'unauthorized' }, retryAt: 1 } as const;
  const { rerender } = renderPart(
    <McpServerCard server={{ ...remote, state }} tools={[]} page={page} />,
  );
  const said = () => screen.queryAllByRole('paragraph').map(({ textContent }) => textContent);
  expect(said()).toEqual([expect.stringMatching(/again/)]);
  rerender(<McpServerCard server={remote} tools={[]} page={page} />);
  expect(said()).toEqual([]);
});

it('waits for the browser as long as the server says so, whoever began, and can be stopped', async () => {
  const cancelMcpSignIn = vi.fn(() => Promise.resolve());
  const { user } = renderPart(
    <McpServerCard server={{ ...remote, signIn: { type: 'waiting' } }} tools={[]} page={page} />,
    backendWith({ cancelMcpSignIn }),
  );
  expect(screen.getByRole('status')).toHaveTextContent('Waiting for you in the browser.');
  expect(button('Sign in…')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(cancelMcpSignIn.mock.calls).toEqual([['remote']]);
});

it('says why a sign-in failed, but not that the person stopped it', async () => {
  const reasons = [{ type: 'cancelled' }, { type: 'declined' }];
  const signInMcpServer = vi.fn(() => Promise.reject(notSignedIn(reasons.shift() ?? { type: '' })));
  const { user } = renderPart(
    <McpServerCard server={remote} tools={[]} page={page} />,
    backendWith({ signInMcpServer }),
  );
  await user.click(screen.getByRole('button', { name: 'Sign in…' }));
  await user.click(screen.getByRole('button', { name: 'Sign in…' }));
  expect(await screen.findByText(/access was declined in the browser/)).toBeVisible();
  await waitFor(() => {
    expect(signInMcpServer).toHaveBeenCalledTimes(2);
  });
  expect(screen.queryByText('The sign-in was stopped.')).toBeNull();
});

const states: McpServerStatus[] = [
  { ...remote, state: { type: 'ready' }, signIn: { type: 'notAsked' } },
  { ...remote, state: { type: 'off' }, signIn: { type: 'notAsked' } },
  {
    ...remote,
    state: { type: 'failed', fault: { type: 'unreachable', detail: '' }, retryAt: null },
    signIn: { type: 'notAsked' },
  },
  remote,
];

it.each(states)('signs out of a server that is $state.type', async (server) => {
  const signOutMcpServer = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(
    <McpServerCard server={{ ...server, signedIn: true }} tools={[]} page={page} />,
    backendWith({ signOutMcpServer }),
  );
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(signOutMcpServer.mock.calls).toEqual([['remote']]);
});

const words: [string, McpServerStatus][] = [
  ['It no longer accepts your sign-in. Sign in again.', { ...remote, signedIn: true }],
  [
    'Your sign-in there could not be renewed: gone',
    {
      ...remote,
      state: { type: 'failed', fault: { type: 'notRenewed', detail: 'gone' }, retryAt: null },
      signedIn: true,
    },
  ],
  [
    'Ready, but the last request to it needs you to sign in.',
    { ...remote, state: { type: 'ready' } },
  ],
];

it.each(words)('says “%s” and offers to sign in', (said, server) => {
  renderPart(<McpServerCard server={server} tools={[]} page={page} />, backendWith({}));
  expect(screen.getByText(said)).toBeVisible();
  expect(button('Sign in…')).toBeVisible();
});
