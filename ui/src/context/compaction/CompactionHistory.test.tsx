import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type {
  CompactionPoint,
  Compactions as Listed,
  CompactionStatus,
  ActivityLogEntry,
  NoProviderSummaryReason,
} from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { estimateWith } from '../../../test/fixtures/estimateFixtures';
import { backendWith, renderPart } from '../../../test/render';
import { ActivityLog } from './ActivityLog';
import { CompactionHistory } from './CompactionHistory';
import { PinnedTokensNote } from '../PinnedTokensNote';

const point: CompactionPoint = {
  id: 7,
  threadId: 1,
  summaryMessageId: 9,
  boundaryMessageId: 4,
  before: 2500,
  after: 800,
  covered: 4,
  fingerprint: '',
  anchors: '',
  trigger: 'threshold',
  model: null,
  createdAt: 0,
};

const progress = { threadId: 1, pieces: 1, piece: 1, text: '', model: null, unstored: null };
const running: CompactionStatus = { type: 'running', progress };

function open(
  listed: Listed,
  log: ActivityLogEntry[] = [],
  status: CompactionStatus = { type: 'idle' },
) {
  const commands = {
    compactions: () => Promise.resolve(listed),
    compactionStatus: () => Promise.resolve(status),
    automaticLog: () => Promise.resolve(log),
    undoCompaction: vi.fn(() => Promise.resolve(null)),
    redoCompaction: vi.fn(() => Promise.resolve(7)),
    renewSummary: vi.fn(() => Promise.resolve(null)),
  };
  renderPart(
    <>
      <PinnedTokensNote sessionId={1} />
      <CompactionHistory view={emptySession} />
      <ActivityLog sessionId={1} threadId={1} />
    </>,
    backendWith(commands),
  );
  return commands;
}

const nothing: Listed = { points: [], undone: null, pins: { messages: 0, tokens: 0, limit: 1000 } };

it('says so where nothing was compacted and nothing happened by itself', async () => {
  open(nothing);
  expect(await screen.findByText('Nothing has been compacted in this thread.')).toBeVisible();
  expect(await screen.findByText('Nothing has happened by itself in this thread.')).toBeVisible();
  expect(screen.queryByText(/pinned/)).toBeNull();
});

it('offers to take back the latest, and to renew it where it is stale', async () => {
  const older = { ...point, id: 6 };
  const commands = open({
    points: [
      { point, writer: 'skein' as const, coveredMessages: 4, applied: true, stale: true },
      { point: older, writer: 'skein' as const, coveredMessages: 4, applied: false, stale: true },
    ],
    undone: null,
    pins: { messages: 2, tokens: 410, limit: 1180 },
  });
  const [latest, before] = await screen.findAllByRole('listitem');
  expect(latest).toHaveTextContent(
    'Summary · 4 messages · 2,500 → 800 tokens · automatic · without a model (in use)',
  );
  expect(
    screen.getByText('2 pinned messages take 410 of at most 1,180 tokens together.'),
  ).toBeVisible();
  const named = (item: HTMLElement | undefined) =>
    item
      ? within(item)
          .getAllByRole('button')
          .map((button) => button.textContent)
      : [];
  expect([named(latest), named(before)]).toEqual([['Compare', 'Undo', 'Renew'], ['Compare']]);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Renew' }));
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(commands.renewSummary).toHaveBeenCalledWith(1, point.id);
  expect(commands.undoCompaction).toHaveBeenCalledWith(1, point.id);
  expect(await screen.findByText('The compaction was undone.')).toBeVisible();
});

it('renews nothing while a compaction runs', async () => {
  open(
    {
      ...nothing,
      points: [{ point, writer: 'skein' as const, coveredMessages: 4, applied: true, stale: true }],
    },
    [],
    running,
  );
  const renew = await screen.findByRole('button', { name: 'Renew' });
  await waitFor(() => {
    expect(renew).toBeDisabled();
  });
  expect(renew).toHaveAccessibleDescription(/^A compaction is already running here/);
});

it('puts back what was undone', async () => {
  const commands = open({ ...nothing, undone: point });
  expect(await screen.findByText('Undone: 4 messages, 2,500 → 800 tokens')).toBeVisible();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Redo' }));
  expect(commands.redoCompaction).toHaveBeenCalledWith(1);
});

it('w08: says of what was undone that the next message compacts again, and switches that off', async () => {
  const setOverride = vi.fn(() => Promise.resolve(null));
  renderPart(
    <CompactionHistory view={emptySession} />,
    backendWith({
      compactions: () => Promise.resolve({ ...nothing, undone: point }),
      estimate: () => Promise.resolve(estimateWith({ type: 'compaction' })),
      setOverride,
    }),
  );
  expect(await screen.findByText('Compacts again with your next message.')).toBeVisible();
  const off = screen.getByRole('button', { name: 'Switch off auto-compaction (this session)' });
  await userEvent.setup().click(off);
  expect(setOverride).toHaveBeenCalledExactlyOnceWith(1, { name: 'autoCompaction', value: 'off' });
});

it('lists what happened by itself, newest first, with its numbers', async () => {
  open(nothing, [
    { at: 0, event: { type: 'compacted', point: 7, before: 2500, after: 800, local: false } },
    { at: 1, event: { type: 'notCompacted', reason: 'notShorter' } },
    { at: 2, event: { type: 'outputCut', tool: 'web_search', chars: 9000, kept: 2000 } },
    { at: 3, event: { type: 'limitLearned', window: 32_768 } },
    { at: 4, event: { type: 'recalled', passages: 1, tokens: 120 } },
    { at: 5, event: { type: 'cleared', by: 'countdown' } },
  ]);
  const list = await screen.findByRole('list', { name: 'What happened automatically' });
  const said = within(list).getAllByRole('listitem');
  expect(said.map((item) => item.querySelector('span')?.textContent)).toEqual([
    'At the end of the countdown the context was cleared; this thread began.',
    '1 earlier passage was sent along because it fits the message: 120 tokens.',
    'The server showed how large its window is: 32,768 tokens.',
    'Of the 9,000 characters that web_search returned, 2,000 entered the context. All of it is kept.',
    'A compaction was tried. The summary was not shorter than what it replaces. Nothing was changed.',
    'Compacted: 2,500 → 800 tokens.',
  ]);
});

it('w05: says which summary the provider wrote itself, and why it wrote none', async () => {
  const model = { provider: 'p', model: 'claude' };
  const written = { ...point, model };
  const missing = (reason: NoProviderSummaryReason): ActivityLogEntry => ({
    event: { type: 'noProviderSummary', model, reason },
    at: 0,
  });
  const view = { point: written, coveredMessages: 4, applied: true, stale: false };
  const points = [
    { ...view, writer: 'provider' as const },
    { ...view, point: { ...written, id: 6 }, writer: 'skein' as const },
  ];
  open({ ...nothing, points }, [missing('refused'), missing('failed'), missing('overBudget')]);
  expect(await screen.findByText(/claude, by the provider’s own compaction/)).toBeVisible();
  expect(screen.getByText(/automatic · claude$/)).toBeVisible();
  expect(await screen.findByText(/refused its own compaction with claude/)).toBeVisible();
  expect(screen.getByText(/with claude brought no summary/)).toBeVisible();
  expect(screen.getByText(/budget was in the way of the provider’s own/)).toBeVisible();
});
