import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart, renderApp } from '../render';
import { useChooseModel } from '../../src/composer/model/useChooseModel';
import type { CompactionStatus, DeletedSession, ModelRef, Topic } from '../../src/ipc/bindings';
import { emptySession, defaultSettings, settingsViewOf } from '../fakeBackend';
import { idleSessionItem } from '../fixtures/conversationFixtures';
import { Button } from '../../src/kit/controls/Button';
import { useToast } from '../../src/kit/notifications/Toast';
import type { ToastContent } from '../../src/kit/notifications/toastContent';
import { useReportError } from '../../src/state/text/useReportError';
import { useSession } from '../../src/state/queries/queries';
import { providerToastId } from '../../src/state/text/toastIds';
import { useUndoCompaction } from '../../src/state/turn/useUndoCompaction';
import { DismissOffers } from '../../src/app/conversation/DismissOffers';

/** A toast does not leave by itself while it is pointed at. */
function stays(words: HTMLElement) {
  fireEvent.pointerEnter(words.parentElement ?? words);
}

/** The page of the data, after the first of two sessions was deleted. */
async function deleted() {
  const wool: DeletedSession = { id: 1, title: 'Wool', messages: 2, deletedAt: 0, keptUntil: 1 };
  const backend = backendWith({
    sessions: () => Promise.resolve([idleSessionItem, { ...idleSessionItem, id: 2, name: 'Silk' }]),
    settings: () => Promise.resolve(settingsViewOf(defaultSettings)),
    deletedSessions: () => Promise.resolve([wool]),
    deletedMessages: () => Promise.resolve([]),
    deleteSessions: () => Promise.resolve(null),
    restoreSessions: () => Promise.resolve(null),
    purgeSession: () => Promise.resolve(null),
    importStatus: () => Promise.resolve({ type: 'idle' }),
  });
  const { user } = renderApp(backend);
  await user.click(await screen.findByRole('button', { name: 'Actions for Wool' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  stays(await screen.findByText('Deleted “Wool”.'));
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('tab', { name: 'Data' }));
  return user;
}

const undoIsGone = () =>
  waitFor(() => {
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

it('offers no Undo for a deletion that was undone elsewhere', async () => {
  const user = await deleted();
  await user.click(await screen.findByRole('button', { name: 'Restore “Wool”' }));
  await undoIsGone();
  expect(screen.getByText('“Wool” was restored.')).toBeVisible();
});

it('offers no Undo for what is deleted for good', async () => {
  const user = await deleted();
  await user.click(await screen.findByRole('button', { name: 'Delete “Wool” for good…' }));
  await user.click(await screen.findByRole('button', { name: 'Delete for good' }));
  await undoIsGone();
});

it('says of a compaction only whether it is undone or put back, and nothing once it is made anew', async () => {
  let status: CompactionStatus = { type: 'idle' };
  const done = vi.fn();
  const backend = backendWith({
    undoCompaction: () => Promise.resolve(done('undo')),
    redoCompaction: () => Promise.resolve(done('redo')),
    compactionStatus: () => Promise.resolve(status),
  });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (hear) => {
    tell = hear;
    return () => undefined;
  };
  function Both() {
    const attempt = useReportError(useToast());
    const { undo, redo } = useUndoCompaction(useToast());
    return (
      <>
        <DismissOffers session={1} />
        <Button
          onClick={() => {
            attempt(undo(1, 1));
          }}
        >
          Take back
        </Button>
        <Button
          onClick={() => {
            attempt(redo(1, 1));
          }}
        >
          Put back
        </Button>
      </>
    );
  }
  const { user } = renderPart(<Both />, backend);
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  await press('Take back');
  await screen.findByText('The compaction was undone.');
  await press('Put back');
  await screen.findByText('The compaction was put back.');
  expect(screen.queryByText('The compaction was undone.')).toBeNull();
  await press('Undo');
  await screen.findByText('The compaction was undone.');
  expect(done.mock.calls).toEqual([['undo'], ['redo'], ['undo']]);
  status = {
    type: 'running',
    progress: {
      threadId: 1,
      pieces: 1,
      piece: 1,
      text: '',
      model: emptySession.model,
      unstored: null,
    },
  };
  tell([{ topic: 'compaction', sessionId: 1 }]);
  await waitFor(() => {
    expect(screen.queryByRole('status')).toBeNull();
  });
});

it('says of the model that answers only what is so', async () => {
  const loom = (model: string): ModelRef => ({ provider: 'loom', model });
  const backend = backendWith({
    setModel: () => Promise.resolve(null),
    previewModel: (_, { model }) =>
      Promise.resolve({
        consequence: model === 'fine' ? 'fits' : 'unknown',
        used: { tokens: 1, basis: 'exact' },
        limit: null,
        reading: null,
      }),
  });
  function Choosing() {
    const choose = useChooseModel(emptySession);
    return (
      <>
        {['warp', 'weft', 'fine'].map((model) => (
          <Button
            key={model}
            onClick={() => {
              choose(loom(model));
            }}
          >
            {model}
          </Button>
        ))}
      </>
    );
  }
  const { user } = renderPart(<Choosing />, backend);
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  await press('warp');
  await screen.findByText(/^warp answers/);
  await press('weft');
  await screen.findByText(/^weft answers/);
  expect(screen.queryByText(/^warp answers/)).not.toBeInTheDocument();
  stays(screen.getByText(/^weft answers/));
  await press('fine');
  await waitFor(() => {
    expect(screen.queryByRole('status')).not.toBeInTheDocument();
  });
});

/** Says which model answers, once that has come to be known. */
function Answering() {
  return useSession(1).data?.model.model;
}

/** A session that a model of the provider comes to answer while this toast of the provider stands. */
async function answeredBeside(said: Omit<ToastContent, 'of'>) {
  let model = emptySession.model;
  function Saying() {
    const toast = useToast();
    return (
      <Button
        onClick={() => {
          toast({ ...said, of: providerToastId('loom') });
        }}
      >
        Say
      </Button>
    );
  }
  const backend = backendWith({ session: () => Promise.resolve({ ...emptySession, model }) });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (hear) => {
    tell = hear;
    return () => undefined;
  };
  const { user } = renderPart(
    <>
      <DismissOffers session={1} />
      <Answering />
      <Saying />
    </>,
    backend,
  );
  await user.click(screen.getByRole('button', { name: 'Say' }));
  stays(screen.getByText(said.words));
  model = { provider: 'loom', model: 'wool-1' };
  tell([{ topic: 'session', sessionId: 1 }]);
  await screen.findByText('wool-1');
}

it('offers no model of a provider once one answers', async () => {
  const words = 'Loom is saved.';
  await answeredBeside({ words, way: { words: 'Use wool-1 here', go: () => undefined } });
  await waitFor(() => {
    expect(screen.queryByText(words)).not.toBeInTheDocument();
  });
});

it.each<Omit<ToastContent, 'of'>>([
  { words: 'Loom was removed.', undo: () => undefined },
  { words: 'Its models cannot be listed.', failed: true },
])('leaves what is no offer of a provider that answers: $words', async (said) => {
  await answeredBeside(said);
  expect(screen.getByText(said.words)).toBeVisible();
});
