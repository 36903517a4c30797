import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { emptySession } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import type { Backend } from '../../ipc';
import type { StopReason, Message, TranscriptItem, TurnEnd } from '../../ipc/bindings';
import { transcriptItem, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { LiveRegionProvider } from '../../kit/notifications/LiveRegion';
import { turnStore } from '../../state/turn/turnStore';
import { TranscriptRow } from '../rows/TranscriptRow';
import { SessionNavigationContext } from '../../state/app/sessionNavigation';
import { ViewerContext } from '../state/viewerContext';

const said = assistantMessage(3, {
  parentId: 2,
  role: 'user',
  origin: 'person',
  parts: [{ type: 'text', text: 'Red wool' }],
});

const reply: Message = { ...said, role: 'assistant', origin: 'model' };

type OneProps = { message: Message; last?: boolean; changes?: Partial<TranscriptItem> };

function One({ message, last = true, changes = {} }: OneProps) {
  const [editing, setEditing] = useState<number | null>(null);
  return (
    <TranscriptRow
      item={{ ...transcriptItem(message, 3), ...changes }}
      sessionId={1}
      readOnly={false}
      last={last}
      editing={editing === message.id}
      isRestored={false}
      onEditing={setEditing}
      onCompare={() => undefined}
      onProvider={() => undefined}
      renderContextCard={() => null}
    />
  );
}

const fault = (kind: object) => Promise.reject(Object.assign(new Error(), kind));
const stopped: string[] = [];

function open(message: Message, commands: Partial<Backend['commands']>) {
  stopped.length = 0;
  const note = (what: string) => () => {
    stopped.push(what);
    return Promise.resolve(null);
  };
  const watch = () => note('ended')().then(() => true);
  return renderPart(
    <One message={message} />,
    backendWith({ stop: note('stopped'), watch, ...commands }),
  );
}

beforeEach(() => {
  turnStore.end(1, turnStore.begin(1), null);
});

it('keeps an edited message in its box until it is stored, and longer where it cannot be', async () => {
  const resend = vi.fn(() => fault({ kind: 'diskFull', path: '/skein.db' }));
  const { user } = open(said, { resend });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const box = screen.getByRole('textbox', { name: 'Edit the message' });
  await user.type(box, ', dyed');
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  await waitFor(() => {
    expect(screen.getByRole('button', { name: 'Send again' })).toBeEnabled();
  });
  expect(resend).toHaveBeenCalledOnce();
  expect(box).toHaveValue('Red wool, dyed');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(turnStore.get(1).fault).toMatchObject({ kind: 'diskFull' });
});

it('gives the focus back to the message when its box is put away', async () => {
  const { user } = open(said, {});
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(screen.getByRole('textbox', { name: 'Edit the message' })).toHaveFocus();
  await user.keyboard('{Escape}');
  await waitFor(() => {
    expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus();
  });
});

it('has what was written in an edited message again after a look elsewhere, until it is put away', async () => {
  const { user, unmount } = open(said, {});
  const edit = () => user.click(screen.getByRole('button', { name: 'Edit' }));
  const box = () => screen.getByRole('textbox', { name: 'Edit the message' });
  await edit();
  await user.type(box(), ', dyed');
  unmount();
  open(said, {});
  await edit();
  expect(box()).toHaveValue('Red wool, dyed');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await edit();
  expect(box()).toHaveValue('Red wool');
});

it('closes the box of an edited message as soon as it is stored, not when it is answered', async () => {
  const resend: Backend['commands']['resend'] = (_session, _edited, _message, channel) => {
    const { hear } = channel as unknown as { hear: (event: object) => void };
    hear({ type: 'message', message: { ...said, id: 4 } });
    return new Promise<TurnEnd>(() => undefined);
  };
  const { user } = open(said, { resend });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  await waitFor(() => {
    expect(screen.queryByRole('textbox', { name: 'Edit the message' })).toBeNull();
  });
  expect(turnStore.get(1).running).toBe(true);
});

it('stops the turn that runs, and sends what was edited once that has ended', async () => {
  const resend = () => {
    stopped.push('sent');
    return Promise.resolve({ type: 'answered' as const });
  };
  const { user } = open(said, { resend });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  await waitFor(() => {
    expect(stopped).toEqual(['stopped', 'ended', 'sent']);
  });
});

it('leaves the running turn as it is where another answer cannot begin beside it', async () => {
  const first = turnStore.begin(1);
  const regenerate = vi.fn(() => fault({ kind: 'busy' }));
  const { user } = open(reply, { regenerate });
  await user.click(screen.getByRole('button', { name: 'Regenerate' }));
  await waitFor(() => {
    expect(turnStore.get(1)).toMatchObject({ running: true, fault: { kind: 'busy' } });
  });
  turnStore.end(1, first, null);
  expect(turnStore.get(1).running).toBe(false);
});

it('sends what was edited with the key that sends from the box', async () => {
  const resend = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  const { user } = open(said, { resend });
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.keyboard(', dyed{Shift>}{Enter}{/Shift}twice{Enter}');
  await waitFor(() => {
    expect(resend).toHaveBeenCalledWith(
      1,
      said.id,
      { text: 'Red wool, dyed\ntwice', attachments: [] },
      expect.anything(),
    );
  });
});

it('lets words run in the direction of their script', async () => {
  const hebrew: Message = { ...said, parts: [{ type: 'text', text: 'צמר אדום' }] };
  const { user } = open(hebrew, {});
  renderPart(
    <One message={{ ...hebrew, role: 'assistant', parts: [{ type: 'text', text: 'שתי' }] }} />,
  );
  expect(screen.getByText('שתי').closest('p')).toHaveAttribute('dir', 'auto');
  expect(screen.getByText('צמר אדום')).toHaveAttribute('dir', 'auto');
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(screen.getByRole('textbox', { name: 'Edit the message' })).toHaveAttribute('dir', 'auto');
});

it('says that it continues from an earlier message, and goes back to the end it had', async () => {
  const continueFrom = vi.fn(() => Promise.resolve(9));
  const { user } = renderPart(<One message={said} last={false} />, backendWith({ continueFrom }));
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Continue from here' }));
  expect(await screen.findByText(/Later messages are kept as another version/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(continueFrom.mock.calls).toEqual([[said.id], [9]]);
});

it('does not offer to continue from the last message: it does', async () => {
  const { user } = open(said, {});
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Pin' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'Continue from here' })).toBeNull();
});

it('goes on in a session of its own, which is opened', async () => {
  const toSession = vi.fn();
  const fork = vi.fn(() => Promise.resolve(7));
  const { user } = renderPart(
    <SessionNavigationContext value={toSession}>
      <One message={said} />
    </SessionNavigationContext>,
    backendWith({ fork }),
  );
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Continue in a new session' }));
  expect(await screen.findByText(/The other session is unchanged/)).toBeVisible();
  expect([fork.mock.calls, toSession.mock.calls]).toEqual([[[said.id]], [[7]]]);
});

it('opens what was sent along', async () => {
  const part = {
    type: 'file' as const,
    blob: 7,
    name: 'a.txt',
    mediaType: 'text/plain',
    text: 'Red',
    bytes: 3,
  };
  const opened = vi.fn();
  const { user } = renderPart(
    <ViewerContext value={opened}>
      <One message={{ ...said, parts: [part] }} />
    </ViewerContext>,
  );
  await user.click(screen.getByRole('button', { name: 'Open a.txt' }));
  expect(opened.mock.calls).toEqual([[{ type: 'attachment', part }]]);
});

it('shows what a tool showed', async () => {
  const pictures = [
    { blob: 7, name: 'shot 1', mediaType: 'image/png', width: 2, height: 1, bytes: 3 },
  ];
  const output = { text: '[picture]', whole: null, pictures, withheld: false };
  const call = {
    callId: '1',
    name: 'odd__shot',
    args: '{}',
    signature: null,
    state: { type: 'done' as const, output },
  };
  const picture = vi.fn(() => Promise.resolve('cG5n'));
  open({ ...reply, parts: [{ type: 'tool', call }] }, { picture });
  const shown = within(screen.getByRole('button', { name: 'Open shot 1' }));
  expect(await shown.findByRole('presentation')).toHaveAttribute(
    'src',
    'data:image/png;base64,cG5n',
  );
  expect(picture.mock.calls).toEqual([[7]]);
});

const ending = (at: StopReason): Message => ({ ...reply, state: { type: 'ended', at } });

it.each<[string, StopReason, RegExp]>([
  ['its longest answer', { type: 'output', shortened: null }, /as long as Skein asks/],
  [
    'the room in the window',
    { type: 'output', shortened: { tokens: 256, by: 'window' } },
    /for an answer of only 256 tokens/,
  ],
  [
    'what the account allows',
    { type: 'output', shortened: { tokens: 3_500, by: 'allowance' } },
    /allows answers of only 3,500 tokens/,
  ],
  ['the end of the window', { type: 'window' }, /the window is full/],
])('says that a reply was cut off at %s, and goes on with it', async (_, at, words) => {
  const continueReply = vi.fn(() => Promise.resolve<TurnEnd>({ type: 'answered' }));
  const { user } = open(ending(at), { continueReply });
  expect(screen.getByText(words)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(continueReply).toHaveBeenCalledOnce();
});

it('says what a filter withheld, and does not offer to go on', () => {
  open(ending({ type: 'filter' }), {});
  expect(screen.getByText(/filter withheld the rest, and may do so again/)).toBeVisible();
  renderPart(<One message={{ ...ending({ type: 'filter' }), parts: [] }} />);
  expect(screen.getByText(/filter withheld this answer, and may do so again/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});

it('says of a reply that was interrupted whether anything had arrived of it', () => {
  const interrupted: Message = { ...reply, state: { type: 'interrupted' } };
  const { unmount } = open(interrupted, {});
  expect(screen.getByText('Interrupted. What had arrived is kept.')).toBeVisible();
  unmount();
  open({ ...interrupted, parts: [] }, {});
  expect(screen.getByText('Interrupted before anything had arrived.')).toBeVisible();
});

it('waits for the model only while nothing else is waited for', () => {
  const empty: Message = { ...reply, parts: [], state: { type: 'streaming' } };
  open(empty, {});
  expect(screen.getByText('Waiting for the model…')).toBeVisible();
  act(() => {
    const fault = { kind: 'rateLimited', message: '', retryAfterMs: null } as const;
    turnStore.set(1, {
      ...turnStore.get(1),
      waiting: { type: 'retry', fault, until: 0, attempt: 2 },
    });
  });
  expect(screen.queryByText('Waiting for the model…')).not.toBeInTheDocument();
});

it.each<[string, Message['state'], string]>([
  ['was interrupted', { type: 'interrupted' }, 'Continue'],
  ['failed', { type: 'failed', error: '{"kind":"noModel"}' }, 'Retry'],
  ['was cut off', { type: 'ended', at: { type: 'window' } }, 'Continue'],
])('offers once to go on with a reply that %s, and says that it waits', async (_, state, way) => {
  const continueReply = vi.fn(() => new Promise<never>(() => undefined));
  const { user } = open({ ...reply, state }, { continueReply });
  await user.click(screen.getByRole('button', { name: way }));
  expect(screen.queryByRole('button', { name: way })).toBeNull();
  expect(screen.getByText('Waiting for the model…')).toBeVisible();
  expect(continueReply).toHaveBeenCalledOnce();
});

it('says of a message whose turn the end of the program cut why it has no answer', async () => {
  const continueReply = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  const session = () => Promise.resolve({ ...emptySession, isTurnCut: true });
  const said: Message = { ...reply, role: 'user', origin: 'person' };
  const { user } = open(said, { continueReply, session });
  expect(await screen.findByText('Skein ended before an answer began.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(continueReply).toHaveBeenCalledOnce();
});

it('says that the model ended without a word, also of what was only thought, and offers to try again', async () => {
  const regenerate = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  const thought = { type: 'reasoning' as const, text: 'Wool?', signature: null };
  const blank = { type: 'text' as const, text: ' \n' };
  const { user, rerender } = open({ ...reply, parts: [] }, { regenerate });
  expect(screen.getByText('The model ended without a word.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(regenerate).toHaveBeenCalledOnce();
  rerender(<One message={{ ...reply, parts: [thought, blank] }} last={false} />);
  expect(screen.getByText('The model ended without a word.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  rerender(<One message={reply} />);
  expect(screen.queryByText('The model ended without a word.')).toBeNull();
});

it('says of a reply that stalls that it waits, until more of it comes, and to nobody aloud', () => {
  vi.useFakeTimers();
  const growing = (words: string): Message => ({
    ...reply,
    state: { type: 'streaming' },
    parts: [{ type: 'text', text: words }],
  });
  const { rerender } = open(growing('Half a'), {});
  const waits = () => screen.queryByText('Waiting for the model…');
  act(() => {
    vi.advanceTimersByTime(4_000);
  });
  rerender(<One message={growing('Half a sen')} />);
  act(() => {
    vi.advanceTimersByTime(4_000);
  });
  expect(waits()).toBeNull();
  act(() => {
    vi.advanceTimersByTime(1_000);
  });
  expect(waits()).toBeInTheDocument();
  expect(waits()?.closest('[aria-live], [role=status], [role=alert]')).toBeNull();
  expect(waits()?.textContent).toBe('Waiting for the model… 5 s');
  act(() => {
    vi.advanceTimersByTime(7_000);
  });
  expect(waits()?.textContent).toBe('Waiting for the model… 12 s');
  expect(screen.getByText('12 s')).toHaveAttribute('aria-hidden', 'true');
  rerender(<One message={growing('Half a sentence')} />);
  expect(waits()).toBeNull();
  vi.useRealTimers();
});

it('counts for how long a reply has not begun, once that is long', () => {
  vi.useFakeTimers();
  open({ ...reply, parts: [], state: { type: 'streaming' }, createdAt: Date.now() }, {});
  const waits = () => screen.getByText('Waiting for the model…').textContent;
  act(() => {
    vi.advanceTimersByTime(4_000);
  });
  expect(waits()).toBe('Waiting for the model…');
  act(() => {
    vi.advanceTimersByTime(8_000);
  });
  expect(waits()).toBe('Waiting for the model… 12 s');
  vi.useRealTimers();
});

it('says which model wrote an answer, by its name where it is still offered', async () => {
  const model = { provider: 'demo', model: 'demo-8k' };
  const known = { model, name: 'Demo', providerName: 'demo', spec: {}, follows: {} };
  open({ ...reply, model }, { models: () => Promise.resolve([known]) });
  const written = await screen.findByRole('note', { name: 'Written by Demo (Built in, offline)' });
  expect(written).toHaveTextContent('Demo');
  renderPart(<One message={{ ...reply, model: { provider: 'gone', model: 'weaver-1' } }} />);
  expect(screen.getByRole('note', { name: 'Written by weaver-1' })).toBeVisible();
  renderPart(<One message={said} />);
  expect(screen.getAllByRole('note')).toHaveLength(2);
});

it('opens the choice of another model for an answer, and for nothing that the person said', async () => {
  const by = { provider: 'demo', model: 'demo-8k' };
  const opened = vi.fn();
  const menuOf = async (message: Message) => {
    const { user, unmount } = renderPart(
      <ViewerContext value={opened}>
        <One message={message} />
      </ViewerContext>,
    );
    await user.click(screen.getByRole('button', { name: 'More actions' }));
    await screen.findByRole('menuitem', { name: 'Pin' });
    return { user, unmount };
  };
  const { user, unmount } = await menuOf({ ...reply, model: by });
  await user.click(screen.getByRole('menuitem', { name: 'Regenerate with…' }));
  expect(opened.mock.calls).toEqual([[{ type: 'anew', answer: reply.id, by }]]);
  unmount();
  await menuOf(said);
  expect(screen.queryByRole('menuitem', { name: 'Regenerate with…' })).toBeNull();
});

it('w01: offers a summary of the messages up to one and from it, unless one stands for it', async () => {
  const opened = vi.fn();
  const { user } = renderPart(
    <ViewerContext value={opened}>
      <One message={said} />
    </ViewerContext>,
  );
  for (const [name, type] of [
    ['Summarise up to here', 'upTo'],
    ['Summarise from here', 'from'],
  ] as const) {
    await user.click(screen.getByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name }));
    const range = { type, messageId: said.id };
    expect(opened).toHaveBeenLastCalledWith({ type: 'summarise', range });
  }
});

it('offers to copy what says something, and nothing where there are no words', () => {
  const image = {
    type: 'image' as const,
    blob: 1,
    name: 'a.png',
    mediaType: 'image/png',
    bytes: 9,
  };
  const { rerender } = open({ ...said, parts: [image] } as Message, {});
  expect(screen.getByRole('button', { name: 'Edit' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
  rerender(<One message={{ ...said, parts: [image, ...said.parts] } as Message} />);
  expect(screen.getByRole('button', { name: 'Copy' })).toBeInTheDocument();
});

it('says that what came later is kept, and shows it again, unless something is said just now', async () => {
  const switchBranch = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(
    <One message={reply} changes={{ later: 7 }} />,
    backendWith({ switchBranch }),
  );
  expect(screen.getByText('Later messages are kept as another version.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show them' }));
  expect(switchBranch).toHaveBeenCalledExactlyOnceWith(7);
  act(() => {
    turnStore.begin(1);
  });
  expect(screen.queryByRole('button', { name: 'Show them' })).toBeNull();
});

it('says which version was stepped to', async () => {
  const switchBranch = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(
    <LiveRegionProvider>
      <One message={reply} changes={{ siblings: [2, 3, 5] }} />
    </LiveRegionProvider>,
    backendWith({ switchBranch }),
  );
  await user.click(screen.getByRole('button', { name: 'Next version' }));
  expect(await screen.findByText('Version 3 of 3')).toBeInTheDocument();
  expect(switchBranch).toHaveBeenCalledExactlyOnceWith(5);
});

it('says of a reply that is not stored why, and lets its words be taken away', async () => {
  const backend = backendWith({
    formatted: (words) => Promise.resolve(words),
    saveUnstored: vi.fn(() => Promise.resolve(null)),
  });
  backend.desktop.copyFormatted = vi.fn(() => Promise.resolve());
  backend.desktop.pickTarget = () => Promise.resolve('/stick/reply.md');
  const unstored = { kind: 'diskFull', path: '/d/skein.db' } as const;
  const { user } = renderPart(<One message={reply} changes={{ unstored }} />, backend);
  expect(screen.getByText('Red wool')).toBeVisible();
  const alert = screen.getByRole('alert');
  expect(alert).toHaveTextContent('This reply is not stored yet');
  expect(alert).toHaveTextContent('/d/skein.db cannot be written: the disk is full');
  await user.click(within(alert).getByRole('button', { name: 'Copy' }));
  expect(backend.desktop.copyFormatted).toHaveBeenCalledExactlyOnceWith('Red wool', 'Red wool');
  await user.click(within(alert).getByRole('button', { name: 'Save as a file…' }));
  expect(backend.commands.saveUnstored).toHaveBeenCalledExactlyOnceWith('/stick/reply.md');
});

it('opens the request that a reply answered, which a message of the user has not', async () => {
  const opened = vi.fn();
  const view = (message: Message) => (
    <ViewerContext value={opened}>
      <One message={message} />
    </ViewerContext>
  );
  const { user, rerender } = renderPart(view(reply), backendWith({}));
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'What the model saw' }));
  expect(opened).toHaveBeenCalledExactlyOnceWith({ type: 'request', reply: reply.id });
  rerender(view(said));
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Pin' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: 'What the model saw' })).toBeNull();
});
