import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { defaultSettings } from '../../../test/fakeBackend';
import type { ToolView } from '../../ipc/bindings';
import { readyMcpServer } from '../../../test/fixtures/mcpServerFixture';
import { McpServerCard } from './McpServerCard';
import { AddMcpServers } from './AddMcpServers';

const page = { settings: defaultSettings, save: vi.fn(), session: null };

it('says which servers a configuration took the place of, and brings them back', async () => {
  const added = {
    servers: [{ name: 'a' }, { name: 'b' }],
    replaced: ['b'],
    asking: ['a'],
    problems: [],
  };
  const restoreMcpServer = vi.fn(() => Promise.resolve(null));
  const addMcpServers = vi.fn(() => Promise.resolve(added as never));
  const { user } = renderPart(<AddMcpServers />, backendWith({ addMcpServers, restoreMcpServer }));
  await user.type(screen.getByRole('textbox', { name: 'Paste a configuration' }), 'both');
  await user.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('1 server added.')).toBeVisible();
  expect(screen.getByText('“b” is replaced.')).toBeVisible();
  expect(screen.getByText(/^“a”: its configuration allowed tools/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(restoreMcpServer.mock.calls).toEqual([['b']]);
});

it('asks for the value that is nowhere, and lets the others be given anew', async () => {
  const giveMcpValue = vi.fn(() => Promise.resolve(null));
  const state = {
    type: 'failed',
    fault: { type: 'valueMissing', name: 'input:pat' },
    retryAt: null,
  } as const;
  const values = ['input:pat', 'mcp.loom.API_KEY'];
  const { user } = renderPart(
    <McpServerCard server={{ ...readyMcpServer, state, values }} tools={[]} page={page} />,
    backendWith({ giveMcpValue }),
  );
  expect(screen.getByText('It needs a value for pat.')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'API_KEY' })).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'pat' }), 'secret');
  await user.click(screen.getByRole('button', { name: 'Use it' }));
  expect(giveMcpValue.mock.calls).toEqual([['loom', 'input:pat', 'secret']]);
  await user.click(screen.getByRole('button', { name: 'Keys and values' }));
  await user.type(screen.getByRole('textbox', { name: 'API_KEY' }), 'new{Enter}');
  expect(giveMcpValue).toHaveBeenLastCalledWith('loom', 'mcp.loom.API_KEY', 'new');
});

it('says which tools the model is not told of, and of which it gets only the beginning', () => {
  const server = { ...readyMcpServer, tooLong: ['wide', 'deep'], shortened: ['look'] };
  renderPart(<McpServerCard server={server} tools={[]} page={page} />);
  expect(screen.getByText(/not told of these tools.*: wide, deep\./)).toBeVisible();
  expect(screen.getByText(/only the beginning.*: look\./)).toBeVisible();
});

it('says which tools are left out because those of all servers have no room together', () => {
  const tool: ToolView = {
    name: 'loom__weave',
    description: 'Weaves a row.',
    family: 'mcp',
    on: true,
    declared: false,
    leftOut: true,
    deferred: false,
    tokens: 90_000,
    outputLimit: 30_000,
  };
  const own = { name: 'loom__weave', tool: 'weave', title: null, description: '' };
  const server = { ...readyMcpServer, tools: [own] };
  renderPart(<McpServerCard server={server} tools={[tool]} page={page} />);
  expect(screen.getByText(/tools are not sent.*: loom__weave\./)).toBeVisible();
});
