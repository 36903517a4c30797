import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type {
  Error as AppError,
  ContextEstimate,
  ModelView,
  BlockReason,
} from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { unreportedHealth } from '../../../test/fixtures/healthFixtures';
import { turnStore } from '../../state/turn/turnStore';
import { CompactionBar } from '../compaction/CompactionBar';
import { RetryButton } from './RetryButton';
import { TurnStatus } from './TurnStatus';
import { unknownMessageCost } from '../../../test/fixtures/costFixtures';

const onEstimate = vi.fn();
const nothing = () => undefined;

const holding = (name: string, limit: number): ModelView => ({
  model: name === 'demo-8k' ? emptySession.model : { provider: 'p', model: name },
  name,
  providerName: 'p',
  spec: { window: { value: 400_000, source: 'catalogue' } },
  limit,
  follows: {},
});

function open(waits: BlockReason | null) {
  return renderPart(
    <>
      <CompactionBar sessionId={1} readOnly={false} onEstimate={onEstimate} />
      <TurnStatus sessionId={1} readOnly={false} onEstimate={onEstimate} onProvider={nothing} />
    </>,
    backendWith({
      health: () => Promise.resolve({ ...unreportedHealth, waits }),
      models: () =>
        Promise.resolve([
          holding('demo-8k', 272_000),
          holding('as-small', 272_000),
          holding('larger', 272_001),
        ]),
    }),
  );
}

function failed(fault: AppError) {
  act(() => {
    turnStore.end(1, turnStore.begin(1), fault);
  });
}

beforeEach(() => {
  onEstimate.mockClear();
  turnStore.end(1, turnStore.begin(1), null);
});

const tooLong = {
  kind: 'tooLong',
  limit: 8_000,
  actual: 9_000,
  outputOnly: false,
  message: '',
} as const;

const counted: ContextEstimate = {
  used: { tokens: 9_000, basis: 'exact' },
  limit: { value: 8_000, source: 'provider' },
  window: null,
  spread: null,
  cost: unknownMessageCost,
  actsAt: null,
  actsShare: null,
  due: null,
  model: emptySession.model,
};

const compact = () => screen.queryByRole('button', { name: 'Compact the thread' });
const look = () => screen.queryByRole('button', { name: 'See what fills it' });

it('leads first to what fills the context where no compaction would help', async () => {
  const { user } = open({ type: 'stuck', floor: 9_000, limit: 8_000 });
  await screen.findByText(/Even after compacting/);
  expect(compact()).toBeNull();
  expect(screen.queryByRole('button', { name: 'Context estimate' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'See what fills it' }));
  expect(onEstimate).toHaveBeenCalledOnce();
});

it('compacts first where that helps, whatever stood in the way', async () => {
  open({ type: 'paused', reason: 'cutOff', used: 41_000, limit: 38_400 });
  await screen.findByText(/failed twice in a row/);
  expect(compact()).toBeVisible();
  expect(look()).toBeNull();
});

it.each([
  [{ kind: 'stuck', floor: 9_000, limit: 8_000 }, false],
  [{ kind: 'messageTooLong', tokens: 9_000, limit: 8_000 }, false],
  [tooLong, true],
] as const)('offers of %o what can be done', async (fault, compacts) => {
  open(null);
  failed(fault);
  await screen.findByRole('group', { name: 'What you can do' });
  expect(compact() !== null).toBe(compacts);
  expect(look() !== null).toBe(!compacts);
});

/** Returns once it was counted, where that decides. */
async function retried(estimate: Partial<ContextEstimate>, fault: Partial<AppError> = {}) {
  const asked = vi.fn(() => Promise.resolve({ ...counted, ...estimate }));
  const failure = { ...tooLong, ...fault } as AppError;
  renderPart(
    <RetryButton sessionId={1} fault={failure} onRetry={() => Promise.resolve()} />,
    backendWith({ estimate: asked }),
  );
  if (failure.kind !== 'tooLong' || failure.outputOnly) return;
  await waitFor(() => {
    expect(asked).toHaveBeenCalled();
  });
}

it.each([
  ['is as long as it was', {}, {}, false],
  ['is shorter by now', { used: { tokens: 7_000, basis: 'exact' } }, {}, true],
  ['is compacted first', { due: { type: 'compaction' } }, {}, true],
  ['left too little room for an answer', {}, { outputOnly: true }, true],
] as const)(
  'tries again what was too long and %s, or does not',
  async (_, estimate, fault, tries) => {
    await retried(estimate, fault);
    if (tries) await screen.findByRole('button', { name: 'Retry' });
    // The effects of the answer are there at the next timer.
    await act(() => new Promise((done) => setTimeout(done, 20)));
    expect(screen.queryByRole('button', { name: 'Retry' }) !== null).toBe(tries);
  },
);

it('offers models that take more as a prompt than this one, whatever their windows', async () => {
  const { user } = open({ type: 'stuck', floor: 9_000, limit: 8_000 });
  await user.click(
    await screen.findByRole('button', { name: 'Choose a model with a larger window' }),
  );
  const offered = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
  expect(offered).toEqual(['larger']);
});
