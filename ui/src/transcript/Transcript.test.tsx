import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useRef, useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import type { Backend } from '../ipc';
import type { Message, TranscriptView, TranscriptPosition, Topic } from '../ipc/bindings';
import { emptyBreakdown } from '../../test/fixtures/breakdownFixtures';
import {
  assistantMessage,
  transcriptItem,
  transcriptPage,
} from '../../test/fixtures/conversationFixtures';
import { turnStore } from '../state/turn/turnStore';
import { Transcript, type TranscriptHandle } from './Transcript';

beforeEach(() => {
  // jsdom has no layout: whatever is asked for its size has one.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  Element.prototype.scrollTo = () => undefined;
});

const failed = assistantMessage(2, {
  parentId: 1,
  parts: [{ type: 'text', text: 'The weft' }],
  state: { type: 'failed', error: JSON.stringify({ kind: 'unreachable', host: 'loom.example' }) },
});

const nothing: readonly string[] = [];

function Thread({ around }: { around: number | null }) {
  const [spot, setSpot] = useState(around === null ? null : { messageId: around });
  const transcript = useRef<TranscriptHandle>(null);
  return (
    <>
      <button onClick={() => transcript.current?.editLast()}>Edit the last</button>
      <Transcript
        ref={transcript}
        sessionId={1}
        threadId={1}
        readOnly={false}
        isElsewhere={false}
        scrollTarget={spot}
        highlighted={nothing}
        onMatchPosition={() => undefined}
        onReadingPosition={() => undefined}
        onCompare={() => undefined}
        onEstimate={() => undefined}
        onProvider={() => undefined}
        renderContextCard={() => 'Card'}
        onEnd={() => {
          setSpot(null);
        }}
        whenEmpty={null}
      />
    </>
  );
}

const open = (transcript: Backend['commands']['transcript'], around: number | null = null) =>
  renderPart(<Thread around={around} />, backendWith({ transcript }));

it('offers to try again though a card stands behind the reply that failed', async () => {
  const card: Message = { ...failed, id: 3, kind: { type: 'card' }, state: { type: 'complete' } };
  const items = [transcriptItem(failed), { ...transcriptItem(card, 2), card: emptyBreakdown }];
  open(() => Promise.resolve({ ...transcriptPage(), items }));
  expect(await screen.findByRole('article', { name: 'Context usage' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
});

it('offers the text of a card whose breakdown this version cannot read', async () => {
  const card: Message = { ...failed, id: 3, kind: { type: 'card' }, state: { type: 'complete' } };
  open(() => Promise.resolve(transcriptPage(card)));
  expect(
    await screen.findByRole('article', { name: 'This message cannot be shown.' }),
  ).toBeVisible();
});

it('offers nothing of the kind while more of the conversation stands below', async () => {
  open((_thread, place) =>
    place.type === 'end'
      ? Promise.resolve({ ...transcriptPage(failed), after: 40 })
      : new Promise<TranscriptView>(() => undefined),
  );
  expect(await screen.findByRole('article', { name: 'Assistant' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

it('says why a message cannot be gone to, and leads to the end', async () => {
  const { user } = open(
    (_thread, place) =>
      place.type === 'around'
        ? Promise.reject(Object.assign(new Error(), { kind: 'notFound', what: 'message' }))
        : Promise.resolve(transcriptPage(failed)),
    9,
  );
  expect(await screen.findByText('This message is gone.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'To the end' }));
  expect(await screen.findByRole('article', { name: 'Assistant' })).toBeVisible();
});

it('reads a conversation again that could not be read', async () => {
  const read = vi
    .fn(() => Promise.resolve(transcriptPage(failed)))
    .mockRejectedValueOnce(Object.assign(new Error(), { kind: 'databaseLocked', path: '/db' }));
  const { user } = open(read);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('article', { name: 'Assistant' })).toBeVisible();
});

const said: Message = {
  ...failed,
  id: 1,
  parentId: null,
  role: 'user',
  origin: 'person',
  parts: [{ type: 'text', text: 'How is it woven?' }],
  state: { type: 'complete' },
};

it('offers to answer what nothing was begun to answer', async () => {
  const continueReply = vi.fn(() => new Promise<never>(() => undefined));
  const { user } = renderPart(
    <Thread around={null} />,
    backendWith({ transcript: () => Promise.resolve(transcriptPage(said)), continueReply }),
  );
  expect(await screen.findByText('Not answered yet.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(continueReply).toHaveBeenCalledOnce();
  expect(screen.queryByText('Not answered yet.')).toBeNull();
  turnStore.end(1, turnStore.begin(1), null);
});

it('edits what was said last in the whole conversation, not in what is loaded of it', async () => {
  const last: Message = { ...said, id: 9, parts: [{ type: 'text', text: 'And dyed?' }] };
  const { user } = open((_thread, place) => {
    if (place.type === 'end') return Promise.resolve(transcriptPage(last));
    if (place.type === 'around') return Promise.resolve({ ...transcriptPage(said), after: 40 });
    return new Promise<TranscriptView>(() => undefined);
  }, 1);
  await screen.findByText('How is it woven?');
  await user.click(screen.getByRole('button', { name: 'Edit the last' }));
  expect(await screen.findByRole('textbox', { name: 'Edit the message' })).toHaveValue('And dyed?');
});

it('says that the machine is offline where a reply failed for want of the network', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  open(() => Promise.resolve(transcriptPage(failed)));
  expect(await screen.findByText(/This machine is offline/)).toBeVisible();
  onLine.mockRestore();
  fireEvent.online(window);
  expect(screen.queryByText(/This machine is offline/)).toBeNull();
});

/** A reply of the turn that the model goes on with by itself. */
const reply = (id: number): Message => ({ ...failed, id, state: { type: 'complete' } });

it('reads back to what was said last where the end of the thread holds nothing of the person', async () => {
  let readOlder: (older: TranscriptView) => void = () => undefined;
  const older = new Promise<TranscriptView>((read) => {
    readOlder = read;
  });
  const { user } = open((_thread, place) =>
    place.type === 'end'
      ? Promise.resolve({ ...transcriptPage(reply(8), reply(9)), before: 1 })
      : older,
  );
  await screen.findAllByRole('article', { name: 'Assistant' });
  await user.click(screen.getByRole('button', { name: 'Edit the last' }));
  expect(screen.queryByRole('textbox', { name: 'Edit the message' })).toBeNull();
  readOlder(transcriptPage(said));
  const edit = await screen.findByRole('textbox', { name: 'Edit the message' });
  expect(edit).toHaveValue('How is it woven?');
});

it('opens nothing that is said after it was looked for in vain', async () => {
  const { user } = open((_thread, place) => {
    if (place.type === 'end') return Promise.resolve(transcriptPage(reply(9)));
    if (place.type === 'around') return Promise.resolve({ ...transcriptPage(reply(8)), after: 40 });
    return new Promise<TranscriptView>(() => undefined);
  }, 8);
  await screen.findByRole('article', { name: 'Assistant' });
  await user.click(screen.getByRole('button', { name: 'Edit the last' }));
  await waitFor(() => {
    expect(document.querySelector('[data-message="9"]')).toBeInTheDocument();
  });
  act(() => {
    turnStore.set(1, { ...turnStore.get(1), running: true, live: [{ ...said, id: 10 }] });
  });
  expect(await screen.findByText('How is it woven?')).toBeVisible();
  expect(screen.queryByRole('textbox', { name: 'Edit the message' })).toBeNull();
  turnStore.set(1, { ...turnStore.get(1), live: [], running: false });
});

const locked = () =>
  Promise.reject(Object.assign(new Error(), { kind: 'databaseLocked', path: '/db' }));

it('asks once for earlier messages that cannot be read, says so, and asks again when it is told to', async () => {
  let earlier = vi.fn<() => Promise<TranscriptView>>(locked);
  const { user } = open((_thread, place) =>
    place.type === 'before' ? earlier() : Promise.resolve({ ...transcriptPage(failed), before: 1 }),
  );
  const why = /^Earlier messages could not be read. Another program is using/;
  expect(await screen.findByText(why)).toBeVisible();
  expect(earlier).toHaveBeenCalledOnce();
  earlier = vi.fn(() => Promise.resolve(transcriptPage(said)));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('How is it woven?')).toBeVisible();
  expect(screen.queryByText(why)).toBeNull();
});

it('says that what is shown could not be read again, and reads it anew from its end', async () => {
  const read = vi.fn<(thread: number, place: TranscriptPosition) => Promise<TranscriptView>>();
  const backend = backendWith({ transcript: read });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (heard) => {
    tell = heard;
    return () => undefined;
  };
  read.mockResolvedValueOnce(transcriptPage(failed));
  const { user } = renderPart(<Thread around={null} />, backend);
  await screen.findByRole('article', { name: 'Assistant' });
  read.mockImplementationOnce(locked);
  tell([{ topic: 'thread', threadId: 1 }]);
  const why = /^What is shown may be out of date: it could not be read again. Another program/;
  expect(await screen.findByText(why)).toBeVisible();
  expect(screen.getByRole('article', { name: 'Assistant' })).toBeVisible();
  read.mockResolvedValueOnce(transcriptPage(said));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('How is it woven?')).toBeVisible();
  expect(read.mock.lastCall?.[1]).toEqual({ type: 'end' });
  expect(screen.queryByText(why)).toBeNull();
});

it('shows the other messages where one cannot be drawn, and lets what it holds be taken away', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const parts = [{ type: 'tool', call: null }] as unknown as Message['parts'];
  const copied = vi.fn(() => Promise.resolve());
  const backend = backendWith({
    transcript: () => Promise.resolve(transcriptPage(said, { ...failed, parts })),
  });
  backend.desktop.copyText = copied;
  const { user } = renderPart(<Thread around={null} />, backend);
  expect(await screen.findByText('How is it woven?')).toBeVisible();
  const broken = screen.getByRole('article', { name: 'This message cannot be shown.' });
  await user.click(within(broken).getByRole('button', { name: 'Copy' }));
  expect(copied).toHaveBeenCalledExactlyOnceWith(JSON.stringify(parts, null, 2));
});

it('shows why a reply failed in the words of whoever wrote that down, and interrupts nobody with it', async () => {
  open(() =>
    Promise.resolve(transcriptPage({ ...failed, state: { type: 'failed', error: 'timeout' } })),
  );
  const why = await screen.findByText('timeout', { exact: false });
  expect(why.closest('[role=alert], [role=status]')).toBeNull();
});

it('follows what is said until the person scrolls up, whatever takes the end out of view', async () => {
  open(() => Promise.resolve(transcriptPage(assistantMessage(1))));
  const view = await screen.findByRole('log');
  const high = vi.spyOn(view, 'scrollHeight', 'get').mockReturnValue(5_000);
  const scroll = (top: number) => {
    view.scrollTop = top;
    fireEvent.scroll(view);
  };
  const says = (id: number) => {
    act(() => {
      turnStore.set(1, {
        ...turnStore.get(1),
        live: [...turnStore.get(1).live, assistantMessage(id)],
      });
    });
  };
  scroll(4_200);
  // The row grows, and something comes up below.
  high.mockReturnValue(5_400);
  scroll(4_200);
  says(2);
  expect(view.scrollTop).toBe(5_400);
  scroll(4_600);
  // Rows that were measured anew have moved it: nobody has gone up.
  scroll(4_597);
  expect(view.scrollTop).toBe(5_400);
  scroll(4_600);
  // Not further than an arrow key goes.
  fireEvent.keyDown(view, { key: 'ArrowUp' });
  scroll(4_580);
  says(3);
  expect(view.scrollTop).toBe(4_580);
  expect(screen.queryByRole('button', { name: 'To the end' })).not.toBeInTheDocument();
  high.mockReturnValue(5_800);
  says(4);
  expect(view.scrollTop).toBe(4_580);
  expect(screen.getByRole('button', { name: 'To the end' })).toBeVisible();
  // A user who scrolls back to the end follows it again.
  scroll(4_990);
  says(5);
  expect(view.scrollTop).toBe(5_800);
  // The wheel has turned, and the view has not moved yet.
  fireEvent.wheel(view, { deltaY: -86 });
  high.mockReturnValue(6_200);
  says(6);
  expect(view.scrollTop).toBe(5_800);
});

const editBox = () => screen.findByRole('textbox', { name: 'Edit the message' });

it('brings back with its thread what was being edited there, and leaves the focus where it is', async () => {
  const thread = () => Promise.resolve(transcriptPage(said));
  const { user, unmount } = open(thread);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const box = await editBox();
  expect(box).toHaveFocus();
  await user.type(box, ' And dyed?');
  unmount();
  const again = open(thread);
  const back = await editBox();
  expect(back).toHaveValue('How is it woven? And dyed?');
  expect(back).not.toHaveFocus();
  await again.user.click(screen.getByRole('button', { name: 'Cancel' }));
  again.unmount();
  open(thread);
  expect(await screen.findByText('How is it woven?')).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
});
