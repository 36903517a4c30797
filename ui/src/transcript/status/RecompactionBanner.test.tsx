import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { estimateWith } from '../../../test/fixtures/estimateFixtures';
import { backendWith, renderPart } from '../../../test/render';
import type { CompactionPoint, ContextEstimate, Topic } from '../../ipc/bindings';
import { RecompactionBanner } from './RecompactionBanner';

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

function open(undone: CompactionPoint | null, due: ContextEstimate['due']) {
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  let isOff = false;
  const commands = {
    compactions: vi.fn(() =>
      Promise.resolve({ points: [], undone, pins: { messages: 0, tokens: 0, limit: 1000 } }),
    ),
    estimate: vi.fn(() => Promise.resolve(estimateWith(isOff ? null : due))),
    redoCompaction: vi.fn(() => Promise.resolve(7)),
    setOverride: vi.fn(() => {
      isOff = true;
      tell([{ topic: 'context', sessionId: 1 }]);
      return Promise.resolve(null);
    }),
  };
  const backend = backendWith(commands);
  backend.changes = (listener) => {
    tell = listener;
    return () => undefined;
  };
  const { user } = renderPart(<RecompactionBanner sessionId={1} threadId={1} />, backend);
  return { user, commands };
}

const words = /^The compaction was undone\. Compacts again with your next message\./;

it('w08: stays below the messages until the compaction is put back or will not happen again', async () => {
  const { user, commands } = open(point, { type: 'compaction' });
  expect(await screen.findByRole('status')).toHaveTextContent(words);
  await user.click(screen.getByRole('button', { name: 'Redo' }));
  expect(commands.redoCompaction).toHaveBeenCalledExactlyOnceWith(1);
  await user.click(
    screen.getByRole('button', { name: 'Switch off auto-compaction (this session)' }),
  );
  expect(commands.setOverride).toHaveBeenCalledExactlyOnceWith(1, {
    name: 'autoCompaction',
    value: 'off',
  });
  await waitFor(() => {
    expect(screen.queryByText(words)).toBeNull();
  });
});

it.each([
  ['nothing was undone', null, { type: 'compaction' } as const],
  ['the next message compacts nothing', point, null],
])('says nothing where %s', async (_, undone, due) => {
  const { commands } = open(undone, due);
  const counted = undone ? commands.estimate : commands.compactions;
  await waitFor(() => {
    expect(counted).toHaveBeenCalledOnce();
  });
  await act(() => Promise.resolve());
  expect(screen.queryByText(words)).toBeNull();
});
