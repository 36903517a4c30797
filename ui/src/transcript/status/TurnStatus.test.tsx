import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type {
  CompactionStatus,
  Error as AppError,
  HealthView,
  SessionView,
  Topic,
} from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { unreportedHealth } from '../../../test/fixtures/healthFixtures';
import { LiveRegionProvider } from '../../kit/notifications/LiveRegion';
import { useCompactionStatus } from '../../state/queries/queries';
import { useExpireTurnNotices } from '../../state/turn/turnNoticeLifetime';
import { turnStore } from '../../state/turn/turnStore';
import { CompactionBar } from '../compaction/CompactionBar';
import { TurnStatus } from './TurnStatus';

const nothing = () => undefined;

function Notes({ view }: { view: SessionView }) {
  useExpireTurnNotices(view);
  return (
    <>
      <CompactionBar sessionId={1} readOnly={false} onEstimate={nothing} />
      <TurnStatus sessionId={1} readOnly={false} onEstimate={nothing} onProvider={nothing} />
    </>
  );
}

const notCompacted = (reason: 'cancelled' | 'notShorter'): CompactionStatus => ({
  type: 'failed',
  error: { kind: 'notCompacted', reason },
});

type Scenario = { status?: CompactionStatus; health?: Partial<HealthView> };

function open({ status = { type: 'idle' }, health = {} }: Scenario = {}) {
  let now: HealthView = { ...unreportedHealth, ...health };
  let told: (topics: readonly Topic[]) => void = nothing;
  const backend = backendWith({
    compactionStatus: () => Promise.resolve(status),
    health: () => Promise.resolve(now),
    models: () => Promise.resolve([]),
  });
  const changes: typeof backend.changes = (hears) => {
    told = hears;
    return backend.changes(hears);
  };
  const { rerender, ...shown } = renderPart(<Notes view={emptySession} />, { ...backend, changes });
  return {
    ...shown,
    look: (view: SessionView) => {
      rerender(<Notes view={view} />);
    },
    /** The context changed. */
    stands: (next: Partial<HealthView>) => {
      now = { ...unreportedHealth, ...next };
      act(() => {
        told([{ topic: 'context', sessionId: 1 }]);
      });
    },
  };
}

const noModel: AppError = { kind: 'noModel' };
const unplaced = /No model is chosen/;
const stuck = { waits: { type: 'stuck', floor: 9_000, limit: 8_000 } } as const;
const floor = 'Even after compacting, at least 9,000 tokens would remain; the limit is 8,000.';
const saysFloor = (exact: boolean) =>
  screen.queryByText(new RegExp(exact ? floor : 'Compacting would'));

/** A turn that has ended, with something in its way. */
function failed() {
  const turn = turnStore.begin(1);
  act(() => {
    turnStore.end(1, turn, noModel);
  });
}

beforeEach(() => {
  turnStore.end(1, turnStore.begin(1), null);
});

it('says no more what stood in the way of a turn with another model', () => {
  const { look } = open();
  failed();
  expect(screen.getByText(unplaced)).toBeVisible();
  look({ ...emptySession, model: { provider: 'demo', model: 'demo-128k' } });
  expect(screen.queryByText(unplaced)).toBeNull();
});

it('says it for as long as the conversation stays where it is', () => {
  const { look } = open();
  failed();
  look({ ...emptySession, session: { ...emptySession.session, title: 'Silk' } });
  expect(screen.getByText(unplaced)).toBeVisible();
});

it('says once that the conversation is stuck, with its numbers and the ways out', async () => {
  const { stands } = open({ health: stuck });
  expect(await screen.findAllByText(new RegExp(floor))).toHaveLength(1);
  expect(screen.getAllByRole('group', { name: 'What you can do' })).toHaveLength(1);
  stands({});
  await waitFor(() => {
    expect(saysFloor(false)).toBeNull();
  });
});

it('says why compaction waits for the person, in place of why the last one changed nothing', async () => {
  const waits = { type: 'paused', reason: 'cutOff', used: 41_000, limit: 38_400 } as const;
  open({ status: notCompacted('notShorter'), health: { waits } });
  expect(await screen.findByText(/failed twice in a row/)).toHaveTextContent(
    'The summary was cut off. Nothing was changed. The thread has 41,000 tokens and should be compacted above 38,400',
  );
  expect(screen.getByRole('group', { name: 'What you can do' })).toBeVisible();
  expect(screen.queryByText(/not shorter/)).toBeNull();
});

it('puts each away by itself, and says what still stands in the way of the next turn', async () => {
  const { user, stands } = open({ health: stuck });
  await screen.findByText(new RegExp(floor));
  failed();
  await screen.findByText(new RegExp(floor));
  const [first] = screen.getAllByRole('button', { name: 'Dismiss' });
  if (first) await user.click(first);
  expect(saysFloor(false)).toBeNull();
  expect(screen.getByText(unplaced)).toBeVisible();
  stands(stuck);
  expect(saysFloor(false)).toBeNull();
  act(() => {
    turnStore.begin(1);
  });
  expect(saysFloor(true)).toBeVisible();
});

it('puts away why a compaction changed nothing, and so does another thread', async () => {
  const { user, unmount } = open({ status: notCompacted('notShorter') });
  expect(await screen.findByText(/not shorter/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => {
    expect(screen.queryByText(/not shorter/)).toBeNull();
  });
  unmount();
  const { look } = open({ status: notCompacted('notShorter') });
  expect(await screen.findByText(/not shorter/)).toBeVisible();
  look({ ...emptySession, session: { ...emptySession.session, currentThread: 2 } });
  await waitFor(() => {
    expect(screen.queryByText(/not shorter/)).toBeNull();
  });
});

function Status() {
  return <p>{useCompactionStatus(1).data?.type}</p>;
}

it('says nothing of a compaction that the person cancelled', async () => {
  renderPart(
    <>
      <CompactionBar sessionId={1} readOnly={false} onEstimate={nothing} />
      <Status />
    </>,
    backendWith({ compactionStatus: () => Promise.resolve(notCompacted('cancelled')) }),
  );
  expect(await screen.findByText('failed')).toBeVisible();
  expect(screen.queryByRole('status')).toBeNull();
});

it('counts down to the next attempt in sight, and says it once to those who listen', () => {
  vi.useFakeTimers();
  const turn = turnStore.begin(1);
  renderPart(
    <LiveRegionProvider>
      <TurnStatus sessionId={1} readOnly={false} onEstimate={nothing} onProvider={nothing} />
    </LiveRegionProvider>,
  );
  act(() => {
    turnStore.receive(1, {
      type: 'retrying',
      error: { kind: 'unreachable', host: 'loom.example' },
      waitMs: 9_000,
      attempt: 2,
    });
    vi.advanceTimersByTime(200);
  });
  const spoken = document.querySelector('[aria-live]');
  expect(spoken).toHaveTextContent(
    'loom.example cannot be reached. Check the network, or whether the server is running. Trying again in 9 s',
  );
  act(() => {
    vi.advanceTimersByTime(3_000);
  });
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  fireEvent.offline(window);
  expect(screen.getByText(/^This machine is offline\..* Trying again in 6 s/)).toBeVisible();
  onLine.mockRestore();
  fireEvent.online(window);
  expect(screen.getByText(/^loom.example cannot be reached.* Trying again in 6 s/)).toBeVisible();
  expect(screen.getByText(/Trying again in 6 s/).closest('[aria-live], [role]')).toBeNull();
  expect(spoken).toHaveTextContent(
    'loom.example cannot be reached. Check the network, or whether the server is running. Trying again in 9 s',
  );
  act(() => {
    vi.advanceTimersByTime(7_000);
  });
  expect(screen.getByText('Asking again (attempt 2)…')).toBeVisible();
  expect(screen.queryByText(/ 0 s/)).toBeNull();
  act(() => {
    turnStore.end(1, turn, null);
  });
  vi.useRealTimers();
});

it('says once what a model is asked for that refused to think as the person wants', async () => {
  const { user } = open();
  const turn = turnStore.begin(1);
  act(() => {
    turnStore.receive(1, {
      type: 'effortRefused',
      effort: 'off',
      instead: 'low',
      because: 'model',
    });
    turnStore.end(1, turn, null);
  });
  expect(await screen.findByText(/thinking you chose \(Off\).*instead: Low\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText(/thinking you chose/)).toBeNull();
});

it('says where tools keep a model from thinking, which nobody chose', async () => {
  open();
  const turn = turnStore.begin(1);
  act(() => {
    turnStore.receive(1, {
      type: 'effortRefused',
      effort: 'default',
      instead: 'off',
      because: 'tools',
    });
    turnStore.end(1, turn, null);
  });
  expect(
    await screen.findByText(/can think only without tools.*“OpenAI” it can do both/),
  ).toBeVisible();
  expect(screen.queryByText(/thinking you chose/)).toBeNull();
});

it('says that not all was read, with both numbers and the ways out, until the next turn', async () => {
  const unmentioned = { how: 'truncated', read: 4_000, sent: 9_000 } as const;
  const { stands } = open({ health: { unmentioned } });
  expect(await screen.findByText(/read only about 4,000 of 9,000 tokens/)).toBeVisible();
  expect(screen.getByRole('group', { name: 'What you can do' })).toBeVisible();
  let turn = 0;
  act(() => {
    turn = turnStore.begin(1);
  });
  expect(screen.queryByText(/read only about/)).toBeNull();
  stands({ unmentioned: { ...unmentioned, read: 5_000 } });
  act(() => {
    turnStore.end(1, turn, null);
  });
  expect(await screen.findByText(/read only about 5,000 of 9,000 tokens/)).toBeVisible();
});

it('says that the window is larger than the person has set, where no way out is needed', async () => {
  open({ health: { unmentioned: { how: 'aboveWindow', read: 20_000, sent: 19_800 } } });
  expect(
    await screen.findByText(/server read 20,000 tokens: this model’s window is larger/),
  ).toBeVisible();
  expect(screen.queryByRole('group', { name: 'What you can do' })).toBeNull();
});

it('says of a thread that has ended nothing that is of the newest reply', async () => {
  const unmentioned = { how: 'noRoom', read: 4_000, sent: 4_000 } as const;
  const notes = (readOnly: boolean) => (
    <TurnStatus sessionId={1} readOnly={readOnly} onEstimate={nothing} onProvider={nothing} />
  );
  const { rerender } = renderPart(
    notes(false),
    backendWith({ health: () => Promise.resolve({ ...unreportedHealth, unmentioned }) }),
  );
  expect(await screen.findByText(/no room was left/)).toBeVisible();
  failed();
  expect(screen.getByText(unplaced)).toBeVisible();
  rerender(notes(true));
  expect(screen.queryByText(/no room was left/)).toBeNull();
  expect(screen.queryByText(unplaced)).toBeNull();
});

it('says over a thread that has ended that another is compacted, not what that waits with', async () => {
  const bar = (readOnly: boolean) => (
    <CompactionBar sessionId={1} readOnly={readOnly} onEstimate={nothing} />
  );
  const progress = { threadId: 1, model: null, piece: 1, pieces: 1, text: '', unstored: null };
  let status: CompactionStatus = { type: 'idle' };
  const backend = backendWith({
    compactionStatus: () => Promise.resolve(status),
    health: () => Promise.resolve({ ...unreportedHealth, ...stuck }),
    models: () => Promise.resolve([]),
  });
  let tell: (topics: readonly Topic[]) => void = nothing;
  backend.changes = (heard) => {
    tell = heard;
    return nothing;
  };
  const { rerender } = renderPart(bar(false), backend);
  expect(await screen.findByText(new RegExp(floor))).toBeVisible();
  rerender(bar(true));
  expect(saysFloor(false)).toBeNull();
  status = { type: 'running', progress };
  tell([{ topic: 'compaction', sessionId: 1 }]);
  expect(await screen.findByText('Optimising context…')).toBeVisible();
});
