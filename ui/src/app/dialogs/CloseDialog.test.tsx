import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ActiveWork, CloseRequest, SessionItem, Topic } from '../../ipc/bindings';
import { idleSessionItem, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { setUnsaved } from '../../kit/overlays/unsavedGuard';
import { RemindersPanel } from '../../reminders/RemindersPanel';
import { EditForm } from '../../transcript/edit/EditForm';
import { CloseDialog } from './CloseDialog';
import { CloseSessionDialog } from './CloseSessionDialog';

afterEach(() => {
  act(() => {
    setUnsaved('the test', false);
  });
});

/** The person has closed a window with these sessions. */
const closed = (...activities: SessionItem['activity'][]) => closedAmid({}, activities);

function closedAmid(
  running: Partial<ActiveWork>,
  activities: SessionItem['activity'][] = [],
  elsewhere: Partial<CloseRequest> = {},
) {
  const nothing = {
    sessions: [],
    answeringAside: false,
    importing: false,
    exporting: false,
    unstored: 0,
  };
  const request = { unsavedSessions: [], unsavedQuickAsk: false, ...elsewhere };
  let asked: CloseRequest | null = {
    ...request,
    running: { ...nothing, sessions: activities, ...running },
  };
  let sessions = activities.map((activity, at) => ({ ...idleSessionItem, id: at + 1, activity }));
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  const answerClosing = vi.fn(() => {
    asked = null;
    tell([{ topic: 'closing' }]);
    return Promise.resolve();
  });
  const backend = backendWith({
    closing: () => Promise.resolve(asked),
    sessions: () => Promise.resolve(sessions),
    answerClosing,
    saveUnstored: vi.fn(() => Promise.resolve(null)),
  });
  backend.changes = (heard) => {
    tell = heard;
    return () => undefined;
  };
  const { user } = renderPart(<CloseDialog />, backend);
  const end = () => {
    sessions = sessions.map((session) => ({ ...session, activity: 'idle' }));
    asked = { ...request, running: nothing };
    tell([{ topic: 'sessions' }, { topic: 'closing' }]);
  };
  return { user, answerClosing, end, backend };
}

it('says that a side question is lost, which cannot finish in the background', async () => {
  closedAmid({ answeringAside: true });
  await screen.findByRole('dialog', { name: 'A side question is still being answered' });
  expect(screen.getByText(/are lost when Skein quits/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Finish in the background' })).toBeNull();
});

it('asks what is to become of the replies that are still coming', async () => {
  for (const [name, answer] of [
    ['Stay', 'stay'],
    ['Finish in the background', 'finish'],
    ['Quit now', 'quit'],
  ] as const) {
    const { user, answerClosing } = closed('replying', 'idle', 'asking', 'compacting');
    await screen.findByRole('dialog', { name: '2 replies are still coming' });
    await user.click(screen.getByRole('button', { name }));
    expect(answerClosing).toHaveBeenCalledExactlyOnceWith(answer);
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).toBeNull();
    });
  }
});

it('stays where the question is put away', async () => {
  const { user, answerClosing } = closed('compacting');
  await screen.findByRole('dialog', { name: '1 session is still being compacted' });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(answerClosing).toHaveBeenCalledExactlyOnceWith('stay');
});

it('says when nothing is left to wait for', async () => {
  const { user, answerClosing, end } = closed('replying');
  await screen.findByRole('dialog', { name: '1 reply is still coming' });
  end();
  await screen.findByRole('dialog', { name: 'Everything has ended' });
  expect(screen.queryByRole('button', { name: 'Finish in the background' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Quit now' }));
  expect(answerClosing).toHaveBeenCalledExactlyOnceWith('quit');
});

it('says that an edit is not saved, whether something runs or not', async () => {
  setUnsaved('the test', true);
  const { user, answerClosing, end } = closed('replying');
  await screen.findByRole('dialog', { name: '1 reply is still coming' });
  expect(screen.getByText('An edit is not saved: it is lost when Skein quits.')).toBeVisible();
  end();
  await screen.findByRole('dialog', { name: 'An edit is not saved' });
  expect(screen.queryByText('Nothing is lost if you quit now.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Stay' }));
  expect(answerClosing).toHaveBeenCalledExactlyOnceWith('stay');
});

it('says in which session, and nothing of what went with one that is deleted', async () => {
  setUnsaved('the test', true, 1);
  const { end } = closed('idle');
  expect(await screen.findByText('It is in the session “Wool”.')).toBeVisible();
  act(() => {
    setUnsaved('the test', false);
    setUnsaved('the test', true, 7);
  });
  end();
  await screen.findByRole('dialog', { name: 'Everything has ended' });
});

it('has it known while a message or a reminder is being written, until it is stored or put away', async () => {
  const noteUnsaved = vi.fn(() => Promise.resolve());
  const backend = backendWith({ noteUnsaved, reminders: () => Promise.resolve([]) });
  const nothing = () => undefined;
  const message = assistantMessage(1, { parts: [{ type: 'text', text: 'Wool' }] });
  const edited = { message, sessionId: 1, readOnly: false, isRestored: false };
  const { user } = renderPart(
    <>
      <CloseDialog />
      <EditForm edited={edited} onSave={() => Promise.resolve(true)} onClose={nothing} />
      <RemindersPanel sessionId={1} onClose={nothing} />
    </>,
    backend,
  );
  const known = (unsaved: boolean) =>
    waitFor(() => {
      expect(noteUnsaved).toHaveBeenLastCalledWith(unsaved);
    });
  await known(false);
  await user.type(screen.getByRole('textbox', { name: 'Edit the message' }), 's');
  await known(true);
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  await known(false);
  await user.click(screen.getByRole('button', { name: 'Add a reminder' }));
  await user.type(screen.getByRole('textbox', { name: 'What to remember' }), 'Red wool');
  await known(true);
  await user.click(screen.getAllByRole('button', { name: 'Cancel' }).at(-1) ?? document.body);
  await known(false);
});

it('says what becomes of a file that is read or written', async () => {
  for (const [running, name, words] of [
    [{ importing: true }, 'A file is still being imported', /nothing from its file is imported/],
    [{ exporting: true }, 'A file is still being written', /no file is written/],
  ] as const) {
    const { user, answerClosing, end } = closedAmid(running);
    const dialog = await screen.findByRole('dialog', { name });
    expect(dialog).toHaveTextContent(words);
    await user.click(screen.getByRole('button', { name: 'Finish in the background' }));
    expect(answerClosing).toHaveBeenCalledExactlyOnceWith('finish');
    await waitFor(() => {
      expect(screen.queryByRole('dialog')).toBeNull();
    });
    end();
    expect(
      await screen.findByRole('dialog', { name: 'Everything has ended' }),
    ).not.toHaveTextContent(words);
    await user.click(screen.getByRole('button', { name: 'Stay' }));
  }
});

it('asks about a reply that could not be stored, and offers to save it elsewhere', async () => {
  const { user, backend } = closedAmid({ unstored: 1 });
  const dialog = await screen.findByRole('dialog', { name: '1 reply is not stored' });
  expect(dialog).toHaveTextContent('lost if you quit now');
  expect(screen.queryByRole('button', { name: 'Finish in the background' })).toBeNull();
  backend.desktop.pickTarget = () => Promise.resolve('/stick/reply.md');
  await user.click(screen.getByRole('button', { name: 'Save as a file…' }));
  expect(backend.commands.saveUnstored).toHaveBeenCalledExactlyOnceWith('/stick/reply.md');
  expect(await screen.findByText('Saved in /stick/reply.md.')).toBeVisible();
});

it('tells of replies first, and of a file beside them', async () => {
  closedAmid({ exporting: true }, ['replying']);
  expect(await screen.findByRole('dialog', { name: '1 reply is still coming' })).toHaveTextContent(
    'If an export is cut off, no file is written.',
  );
});

it('tells of unsaved text in the window of a session and in the one for quick questions', async () => {
  closedAmid({}, ['idle'], { unsavedSessions: [1], unsavedQuickAsk: true });
  const dialog = await screen.findByRole('dialog', { name: 'An edit is not saved' });
  expect(dialog).toHaveTextContent('It is in the session “Wool”.');
  expect(dialog).toHaveTextContent('What the window of Quick ask holds is lost');
});

it('tells of a quick question alone', async () => {
  closedAmid({}, [], { unsavedQuickAsk: true });
  const title = 'Quick ask holds a question or an answer';
  expect(await screen.findByRole('dialog', { name: title })).not.toHaveTextContent(
    'Nothing is lost if you quit now.',
  );
});

it('asks in the window of a session, whose unsaved text is known there', async () => {
  const noteUnsaved = vi.fn(() => Promise.resolve());
  const answerClosing = vi.fn(() => Promise.resolve());
  const running = {
    sessions: [],
    answeringAside: false,
    importing: false,
    exporting: false,
    unstored: 0,
  };
  const backend = backendWith({
    noteUnsaved,
    answerClosing,
    closing: () => Promise.resolve({ running, unsavedSessions: [], unsavedQuickAsk: false }),
  });
  setUnsaved('the test', true);
  const { user } = renderPart(<CloseSessionDialog />, backend);
  await screen.findByRole('dialog', { name: 'An edit is not saved' });
  expect(noteUnsaved).toHaveBeenLastCalledWith(true);
  await user.click(screen.getByRole('button', { name: 'Keep the window' }));
  expect(answerClosing).toHaveBeenLastCalledWith('stay');
  await user.click(screen.getByRole('button', { name: 'Close without saving' }));
  expect(answerClosing).toHaveBeenLastCalledWith('quit');
});
