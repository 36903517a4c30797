import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { CompactionPoint, CompactionStatus, Topic } from '../../ipc/bindings';
import { LiveRegionProvider } from '../../kit/notifications/LiveRegion';
import { CompactionBar } from './CompactionBar';

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
  model: { provider: 'loom', model: 'weaver-1' },
  createdAt: 0,
};
const progress = { threadId: 1, pieces: 1, piece: 1, text: '', model: null, unstored: null };

it('says to those who listen that a compaction is in place, and what it made of the context', async () => {
  let status: CompactionStatus = { type: 'running', progress };
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  const backend = backendWith({
    compactionStatus: () => Promise.resolve(status),
    compactions: () =>
      Promise.resolve({
        points: [
          { point, writer: 'skein' as const, coveredMessages: 4, applied: true, stale: false },
        ],
        undone: null,
        pins: { messages: 0, tokens: 0, limit: 1000 },
      }),
  });
  backend.changes = (hear) => {
    tell = hear;
    return () => undefined;
  };
  renderPart(
    <LiveRegionProvider>
      <CompactionBar sessionId={1} readOnly={false} onEstimate={() => undefined} />
    </LiveRegionProvider>,
    backend,
  );
  await screen.findByText('Optimising context…');
  status = { type: 'done', pointId: 7 };
  tell([{ topic: 'compaction', sessionId: 1 }]);
  await waitFor(() => {
    expect(document.querySelector('[aria-live]')).toHaveTextContent(
      'Compacted: 2,500 → 800 tokens.',
    );
  });
});

it('shows a summary that cannot be stored, with the reason', async () => {
  const unstored = { kind: 'diskFull', path: '/d/skein.db' } as const;
  const status: CompactionStatus = {
    type: 'running',
    progress: { ...progress, text: 'Wool is red.', unstored },
  };
  renderPart(
    <LiveRegionProvider>
      <CompactionBar sessionId={1} readOnly={false} onEstimate={() => undefined} />
    </LiveRegionProvider>,
    backendWith({ compactionStatus: () => Promise.resolve(status) }),
  );
  const banner = await screen.findByText(/This summary is not stored yet/u);
  expect(banner.parentElement).toHaveTextContent(/disk|space/u);
  expect(screen.getByText('Wool is red.')).toBeInTheDocument();
});
