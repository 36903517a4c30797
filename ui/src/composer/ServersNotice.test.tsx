import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answering, show } from '../../test-show';
import { plainServer } from '../ipc/plainServer';
import { ServersNotice } from './ServersNotice';

it('says at the box which servers are not there, and what a turn waits for', async () => {
  const fault = { type: 'unreachable', detail: '' } as const;
  const mcpServers = () =>
    Promise.resolve([
      plainServer,
      { ...plainServer, name: 'gone', state: { type: 'failed', fault, retryAt: 1 } as const },
      { ...plainServer, name: 'slow', state: { type: 'starting' } as const },
    ]);
  const { rerender } = show(<ServersNotice replying={false} />, answering({ mcpServers }));
  expect(await screen.findByText(/none of their tools: gone\./)).toBeVisible();
  expect(screen.queryByText(/slow/)).toBeNull();
  rerender(<ServersNotice replying />);
  expect(screen.getByText('Waiting a moment for MCP servers to start: slow.')).toBeVisible();
});
