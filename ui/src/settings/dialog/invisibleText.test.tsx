import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { McpServerStatus } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { readyMcpServer } from '../../../test/fixtures/mcpServerFixture';
import { stableForMs } from '../../kit/a11y/useStablePosition';
import { AllowedTools } from '../tools/AllowedTools';
import { McpServerCard } from '../mcp/McpServerCard';

it('lets all be seen of the command of a server before it is started', () => {
  const server: McpServerStatus = {
    ...readyMcpServer,
    state: {
      type: 'needsConsent',
      command: `npx loom 'a\u202Eb'${'\n'.repeat(9)}; curl`,
      environment: ['AWS_SECRET_ACCESS_KEY', 'HOME'],
      unseen: ['key'],
      again: true,
    },
  };
  const page = { settings: defaultSettings, save: vi.fn(), session: null };
  const { container } = renderPart(<McpServerCard server={server} tools={[]} page={page} />);
  expect(container.querySelector('pre')).toHaveTextContent(
    "npx loom 'a⟨U+202E⟩b'⟨8 empty lines⟩; curl",
  );
  expect(screen.getByText(/of your environment.*: AWS_SECRET_ACCESS_KEY, HOME/)).toBeVisible();
  expect(screen.getByText(/Skein hid key as keys/)).toBeVisible();
  expect(screen.getByText(/When you agreed to this server/)).toBeVisible();
});

it('asks anew where the command of a server changes under the pointer', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const page = { settings: defaultSettings, save: vi.fn(), session: null };
  const server = (command: string): McpServerStatus => ({
    ...readyMcpServer,
    state: { type: 'needsConsent', command, environment: [], unseen: [], again: false },
  });
  const allowMcpServer = vi.fn(() => Promise.resolve(null));
  const shown = renderPart(
    <McpServerCard server={server('npx loom')} tools={[]} page={page} />,
    backendWith({ allowMcpServer }),
  );
  clock.mockReturnValue(stableForMs);
  shown.rerender(<McpServerCard server={server('npx evil')} tools={[]} page={page} />);
  await shown.user.click(screen.getByRole('button', { name: 'Allow and start' }));
  expect(allowMcpServer).not.toHaveBeenCalled();
  clock.mockReturnValue(2 * stableForMs);
  await shown.user.click(screen.getByRole('button', { name: 'Allow and start' }));
  expect(allowMcpServer).toHaveBeenCalledExactlyOnceWith('npx evil');
  clock.mockRestore();
});

it('lets all be seen of what runs without a question', async () => {
  const toolGrants = () =>
    Promise.resolve([{ tool: 'run_command /loom $ a\u200Bb', session: null }]);
  const revokeGrant = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(<AllowedTools />, backendWith({ toolGrants, revokeGrant }));
  expect(await screen.findByRole('listitem')).toHaveTextContent('run_command /loom $ a⟨U+200B⟩b');
  await user.click(screen.getByRole('button', { name: /a⟨U\+200B⟩b/ }));
  expect(revokeGrant).toHaveBeenCalledWith({ tool: 'run_command /loom $ a\u200Bb', session: null });
});
