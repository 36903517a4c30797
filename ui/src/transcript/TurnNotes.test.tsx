import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { CompactionStatus, Error as Fault, SessionView } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { AnnouncerProvider } from '../kit/Announcer';
import { useCompaction } from '../state/reading';
import { useStanding } from '../state/standing';
import { turns } from '../state/turn';
import { CompactionBar } from './CompactionBar';
import { TurnNotes } from './TurnNotes';

function Notes({ view }: { view: SessionView }) {
  useStanding(view);
  return (
    <>
      <CompactionBar sessionId={1} />
      <TurnNotes sessionId={1} onEstimate={() => undefined} onProviders={() => undefined} />
    </>
  );
}

const notCompacted = (reason: 'cancelled' | 'notShorter'): CompactionStatus => ({
  type: 'failed',
  error: { kind: 'notCompacted', reason },
});

function open(status: CompactionStatus = { type: 'idle' }) {
  const { rerender, ...shown } = show(
    <Notes view={plainSession} />,
    answering({
      compactionStatus: () => Promise.resolve(status),
      models: () => Promise.resolve([]),
    }),
  );
  return {
    ...shown,
    look: (view: SessionView) => {
      rerender(<Notes view={view} />);
    },
  };
}

const noModel: Fault = { kind: 'noModel' };
const unplaced = /No model is chosen/;
const floor = /cannot be compacted/;

/** A turn that has ended, with something in its way. */
function stuck() {
  const turn = turns.begin(1);
  act(() => {
    turns.hear(1, { type: 'stuck', floor: 9_000, limit: 8_000 });
    turns.end(1, turn, noModel);
  });
}

beforeEach(() => {
  turns.end(1, turns.begin(1), null);
});

it('says no more what stood in the way with another model', () => {
  const { look } = open();
  stuck();
  expect(screen.getByText(floor)).toBeVisible();
  expect(screen.getByText(unplaced)).toBeVisible();
  look({ ...plainSession, model: { provider: 'demo', model: 'demo-128k' } });
  expect(screen.queryByText(floor)).toBeNull();
  expect(screen.queryByText(unplaced)).toBeNull();
});

it('says it for as long as the conversation stays where it is', () => {
  const { look } = open();
  stuck();
  look({ ...plainSession, session: { ...plainSession.session, title: 'Silk' } });
  expect(screen.getByText(floor)).toBeVisible();
});

it('puts each away by itself', async () => {
  const { person } = open();
  stuck();
  const [first] = screen.getAllByRole('button', { name: 'Dismiss' });
  if (first) await person.click(first);
  expect(screen.queryByText(floor)).toBeNull();
  expect(screen.getByText(unplaced)).toBeVisible();
});

it('puts away why a compaction changed nothing, and so does another thread', async () => {
  const { person, unmount } = open(notCompacted('notShorter'));
  expect(await screen.findByText(/not shorter/)).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => {
    expect(screen.queryByText(/not shorter/)).toBeNull();
  });
  unmount();
  const { look } = open(notCompacted('notShorter'));
  expect(await screen.findByText(/not shorter/)).toBeVisible();
  look({ ...plainSession, session: { ...plainSession.session, currentThread: 2 } });
  await waitFor(() => {
    expect(screen.queryByText(/not shorter/)).toBeNull();
  });
});

function Status() {
  return <p>{useCompaction(1).data?.type}</p>;
}

it('says nothing of a compaction that the person cancelled', async () => {
  show(
    <>
      <CompactionBar sessionId={1} />
      <Status />
    </>,
    answering({ compactionStatus: () => Promise.resolve(notCompacted('cancelled')) }),
  );
  expect(await screen.findByText('failed')).toBeVisible();
  expect(screen.queryByRole('status')).toBeNull();
});

it('counts down to the next attempt in sight, and says it once to those who listen', () => {
  vi.useFakeTimers();
  const turn = turns.begin(1);
  show(
    <AnnouncerProvider>
      <TurnNotes sessionId={1} onEstimate={() => undefined} onProviders={() => undefined} />
    </AnnouncerProvider>,
  );
  act(() => {
    turns.hear(1, {
      type: 'retrying',
      error: { kind: 'unreachable', host: 'loom.example' },
      waitMs: 9_000,
      attempt: 2,
    });
    vi.advanceTimersByTime(200);
  });
  const spoken = document.querySelector('[aria-live]');
  expect(spoken).toHaveTextContent(
    'loom.example cannot be reached. Check the network, or whether the server runs. Again in 9 seconds',
  );
  act(() => {
    vi.advanceTimersByTime(3_000);
  });
  expect(screen.getByText(/Again in 6 seconds/).closest('[aria-live], [role]')).toBeNull();
  expect(spoken).toHaveTextContent(
    'loom.example cannot be reached. Check the network, or whether the server runs. Again in 9 seconds',
  );
  act(() => {
    vi.advanceTimersByTime(7_000);
  });
  expect(screen.getByText('Asking again (attempt 2)…')).toBeVisible();
  expect(screen.queryByText(/0 seconds/)).toBeNull();
  act(() => {
    turns.end(1, turn, null);
  });
  vi.useRealTimers();
});

it('says that not all was read, with both numbers and the ways out, when the turn has ended', async () => {
  open();
  const turn = turns.begin(1);
  act(() => {
    turns.hear(1, { type: 'silentOverflow', how: 'truncated', read: 4_000, sent: 9_000 });
    turns.end(1, turn, null);
  });
  expect(await screen.findByText(/read about 4,000 of 9,000 tokens/)).toBeVisible();
  expect(screen.getByRole('group', { name: 'Ways out' })).toBeVisible();
});
