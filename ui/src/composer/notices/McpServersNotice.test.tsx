import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { readyMcpServer } from '../../../test/fixtures/mcpServerFixture';
import { McpServersNotice } from './McpServersNotice';

it('says at the box which servers are not there, and what a turn waits for', async () => {
  const fault = { type: 'unreachable', detail: '' } as const;
  const mcpServers = () =>
    Promise.resolve([
      readyMcpServer,
      { ...readyMcpServer, name: 'gone', state: { type: 'failed', fault, retryAt: 1 } as const },
      { ...readyMcpServer, name: 'slow', state: { type: 'starting' } as const },
    ]);
  const { rerender } = renderPart(
    <McpServersNotice replying={false} />,
    backendWith({ mcpServers }),
  );
  expect(await screen.findByText(/none of their tools: gone\./)).toBeVisible();
  expect(screen.queryByText(/slow/)).toBeNull();
  rerender(<McpServersNotice replying />);
  expect(screen.getByText('Waiting a moment for MCP servers to start: slow.')).toBeVisible();
});
