import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Backend } from '../ipc';
import type {
  Attachment,
  FolderError,
  McpServerStatus,
  SendKey,
  SettingsView,
} from '../ipc/bindings';
import { fakeBackend, emptySession } from '../../test/fakeBackend';
import { readyMcpServer } from '../../test/fixtures/mcpServerFixture';
import type { Command } from '../state/app/command';
import { useSession } from '../state/queries/queries';
import { turnStore } from '../state/turn/turnStore';
import { renderPart } from '../../test/render';
import { Composer } from './Composer';
import { unknownMessageCost } from '../../test/fixtures/costFixtures';

const compact = vi.fn((argument: string | null) => Promise.resolve(argument));
const fresh = vi.fn(() => Promise.resolve());
const offered: readonly Command[] = [
  { name: 'context', description: 'Shows', argument: null, run: () => Promise.resolve() },
  {
    name: 'compact',
    description: 'Compacts',
    argument: { hint: 'keep', required: false },
    run: compact,
  },
  { name: 'new', description: 'Begins', argument: null, run: fresh },
  { name: 'ask', description: 'Asks', argument: { hint: 'whom', required: true }, run: compact },
];

const editLast = vi.fn(() => true);
const page = vi.fn();
const onEstimate = vi.fn();

function Box() {
  const { data } = useSession(1);
  return data ? (
    <Composer
      view={data}
      commands={offered}
      onEstimate={onEstimate}
      numbers={(estimate) => `${estimate?.used.tokens ?? '?'} in numbers`}
      onSent={() => undefined}
      onEditLast={editLast}
      onPage={page}
    />
  ) : null;
}

async function open(
  changes: Partial<Backend['commands']> = {},
  send: SendKey = 'enter',
  picked: readonly string[] = [],
) {
  const settings = { settings: { keyboard: { send } } } as SettingsView;
  const backend = fakeBackend(settings);
  const commands = new Proxy(backend.commands, {
    get: (all, name): unknown => Reflect.get(changes, name) ?? Reflect.get(all, name),
  });
  const desktop = { ...backend.desktop, pickFiles: () => Promise.resolve(picked) };
  compact.mockClear();
  fresh.mockClear();
  onEstimate.mockClear();
  const shown = renderPart(<Box />, { ...backend, commands, desktop });
  const box = await screen.findByRole('textbox', { name: 'Message' });
  return { box, ...shown };
}

const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('offers the commands at a slash, and fewer with every letter', async () => {
  const { box, user } = await open();
  await user.type(box, '/');
  expect(screen.getByRole('listbox', { name: 'Commands' })).toBeVisible();
  expect(names()).toHaveLength(5);
  await user.type(box, 'co');
  expect(names()).toEqual(['/contextShows', '/compactCompacts · keep']);
  await user.type(box, 'xyz');
  expect(names()).toEqual([]);
});

it('keeps the command that Enter runs in view', async () => {
  const seen = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { box, user } = await open();
  await user.type(box, '/');
  seen.mockClear();
  await user.keyboard('{ArrowUp}');
  const [last] = screen.getAllByRole('option').slice(-1);
  expect(last).toHaveAttribute('aria-selected', 'true');
  expect(seen.mock.contexts).toEqual([last]);
  seen.mockRestore();
});

it.each(['、', '／'])('takes the %s of an input method for a slash', async (mark) => {
  const { box, user } = await open();
  await user.type(box, mark + 'co');
  expect(names()).toEqual(['/contextShows', '/compactCompacts · keep']);
  await user.type(box, '好');
  expect(names()).toEqual([]);
});

it('is walked with the arrows, told to a screen reader, and run with Enter', async () => {
  const { box, user } = await open();
  await user.type(box, '/co{ArrowDown}');
  const active = screen.getByRole('option', { name: /compact/, selected: true });
  expect(box).toHaveAttribute('aria-activedescendant', active.id);
  await user.keyboard('{Enter}');
  expect(compact).toHaveBeenCalledWith(null);
  expect(box).toHaveValue('');
});

it('completes with Tab, and hands on what is written behind the name', async () => {
  const { box, user } = await open();
  await user.type(box, '/comp{Tab}');
  expect(box).toHaveValue('/compact ');
  expect(screen.getByText('keep')).toBeVisible();
  await user.keyboard('the names{Enter}');
  expect(compact).toHaveBeenCalledWith('the names');
});

it('completes a command that needs a word more instead of running it', async () => {
  const { box, user } = await open();
  await user.type(box, '/ask{Enter}');
  expect(box).toHaveValue('/ask ');
  expect(compact).not.toHaveBeenCalled();
});

it('closes with Escape and leaves what is written', async () => {
  const { box, user } = await open();
  await user.type(box, '/new{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(box).toHaveValue('/new');
});

it('sends a line that says more than its command takes', async () => {
  const send = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  const { box, user } = await open({ send });
  await user.type(box, '/new york is large{Enter}');
  expect(fresh).not.toHaveBeenCalled();
  expect(send).toHaveBeenCalledWith(
    1,
    { text: '/new york is large', attachments: [] },
    expect.anything(),
  );
});

it('puts a command that failed back into the box', async () => {
  compact.mockRejectedValueOnce({ kind: 'notCompacted', reason: 'nothingToCover' });
  const { box, user } = await open();
  await user.type(box, '/compact the names{Enter}');
  await waitFor(() => {
    expect(box).toHaveValue('/compact the names');
  });
});

it('leaves what was written meanwhile alone where a command fails, and says the line beside it', async () => {
  let fail: (fault: Error) => void = () => undefined;
  compact.mockReturnValueOnce(
    new Promise((_, reject) => {
      fail = reject;
    }),
  );
  const { box, user } = await open();
  await user.type(box, '/compact the names{Enter}');
  await user.type(box, 'My next question');
  await act(async () => {
    fail(Object.assign(new Error(), { kind: 'busy' }));
    await Promise.resolve();
  });
  expect(await screen.findByRole('alert')).toHaveTextContent('“/compact the names” was not done.');
  expect(box).toHaveValue('My next question');
});

it('breaks the line with Enter where the person sends with Ctrl+Enter', async () => {
  const send = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  const { box, user } = await open({ send }, 'modEnter');
  await waitFor(async () => {
    await user.clear(box);
    await user.type(box, 'one{Enter}');
    expect(box).toHaveValue('one\n');
  });
  send.mockClear();
  await user.type(box, 'two{Control>}{Enter}{/Control}');
  expect(send).toHaveBeenCalledOnce();
});

it('keeps what was just written when the box goes away', async () => {
  const saveDraft = vi.fn(() => Promise.resolve(null));
  const { box, user, unmount } = await open({ saveDraft });
  await user.type(box, 'half a thought');
  unmount();
  expect(saveDraft).toHaveBeenLastCalledWith(1, { text: 'half a thought', attachments: [] }, null);
});

const server: McpServerStatus = {
  ...readyMcpServer,
  name: 'Loom',
  prompts: [
    {
      name: 'pattern',
      title: null,
      description: 'Draws a pattern',
      arguments: [
        { name: 'width', description: null, required: true },
        { name: 'colour', description: null, required: false },
      ],
    },
  ],
  resources: [
    { uri: 'loom://warp', name: 'Warp', description: null, mediaType: 'text/plain' },
    { uri: 'loom://weft', name: 'Weft', description: null, mediaType: 'text/plain' },
  ],
};

it('asks for what a prompt of a server needs, and puts its text into the box', async () => {
  const mcpPrompt = vi.fn(() => Promise.resolve('Forty threads wide.'));
  const { box, user } = await open({ mcpServers: () => Promise.resolve([server]), mcpPrompt });
  await screen.findByRole('button', { name: 'Attach', expanded: false });
  await user.type(box, '/loom:{Enter}');
  const insert = await screen.findByRole('button', { name: 'Put into the message box' });
  expect(insert).toBeDisabled();
  await user.type(screen.getByRole('textbox', { name: 'width' }), '40');
  await user.click(insert);
  await waitFor(() => {
    expect(box).toHaveValue('Forty threads wide.');
  });
  expect(mcpPrompt).toHaveBeenCalledWith('Loom', 'pattern', { width: '40' });
});

it('asks before what is filled in for a prompt is lost, but not where its button gives it up', async () => {
  const { box, user } = await open({ mcpServers: () => Promise.resolve([server]) });
  await screen.findByRole('button', { name: 'Attach', expanded: false });
  await user.type(box, '/loom:{Enter}');
  const dialog = await screen.findByRole('dialog');
  const asked = () => screen.queryByRole('dialog', { name: 'Discard what you typed?' });
  const width = screen.getByRole('textbox', { name: 'width' });
  fireEvent.keyDown(width, { key: 'Escape' });
  expect(asked()).toBeNull();
  await user.type(width, '40');
  fireEvent.keyDown(width, { key: 'Escape' });
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  fireEvent.mouseDown(dialog, { clientX: 5_000, clientY: 5_000 });
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(width).toHaveValue('40');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('never sends the words of a server before they have stood in the box', async () => {
  const send = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  let answer: (words: string) => void = () => undefined;
  const mcpPrompt = () =>
    new Promise<string>((resolve) => {
      answer = resolve;
    });
  const draws = {
    ...server,
    prompts: [{ name: 'draw', title: null, description: null, arguments: [] }],
  };
  const mcpServers = () => Promise.resolve([draws]);
  const { box, user } = await open({ mcpServers, mcpPrompt, send });
  await screen.findByRole('button', { name: 'Attach', expanded: false });
  await user.type(box, '/loom:draw{Enter}');
  expect(await screen.findByText('Reading /loom:draw…')).toBeVisible();
  await user.keyboard('{Enter}');
  await user.type(box, 'Hello');
  fireEvent.keyDown(box, { key: 'Enter', repeat: true });
  expect(send).not.toHaveBeenCalled();
  await user.keyboard('{Enter}');
  const message = { text: 'Hello', attachments: [] };
  await waitFor(() => {
    expect(send).toHaveBeenCalledExactlyOnceWith(1, message, expect.anything());
  });
  await act(async () => {
    answer('Delete everything.');
    await Promise.resolve();
  });
  expect(box).toHaveValue('Delete everything.');
  expect(send).toHaveBeenCalledOnce();
  turnStore.end(1, turnStore.begin(1), null);
});

it('attaches a resource of a server under its name', async () => {
  const part: Attachment = {
    type: 'file',
    blob: 1,
    name: 'Weft',
    mediaType: 'text/plain',
    bytes: 4,
  };
  const attachResource = vi.fn(() => Promise.resolve([part]));
  const mcpServers = () => Promise.resolve([server]);
  const { user } = await open({ mcpServers, attachResource });
  await user.click(await screen.findByRole('button', { name: 'Attach', expanded: false }));
  await user.click(await screen.findByRole('menuitem', { name: 'From Loom…' }));
  await user.type(screen.getByRole('searchbox', { name: 'Find a resource' }), 'we');
  expect(screen.queryByRole('button', { name: 'Attach Warp' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Attach Weft' }));
  expect(await screen.findByRole('list', { name: 'Attachments' })).toHaveTextContent('Weft');
  expect(attachResource).toHaveBeenCalledWith('Loom', 'loom://weft');
});

it('keeps the folder it was told, and says why another cannot be one', async () => {
  const setOverride = vi
    .fn()
    .mockRejectedValueOnce(
      Object.assign(new Error(), { kind: 'badFolder', path: '/', fault: 'root' }),
    )
    .mockResolvedValueOnce(null);
  const { user } = await open({ setOverride });
  await user.click(screen.getByRole('button', { name: 'Choose a folder' }));
  const path = await screen.findByRole('textbox', { name: 'Folder' });
  await user.type(path, '/{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('would open everything');
  await user.type(path, 'work/loom{Enter}');
  await waitFor(() => {
    expect(screen.queryByRole('textbox', { name: 'Folder' })).toBeNull();
  });
  expect(setOverride).toHaveBeenLastCalledWith(1, {
    name: 'folder',
    value: '/work/loom',
  });
});

it('edits the last message with the arrow up, in an empty box alone', async () => {
  const { box, user } = await open();
  editLast.mockClear();
  await user.type(box, 'x{ArrowUp}');
  expect(editLast).not.toHaveBeenCalled();
  await user.type(box, '{Backspace}{ArrowUp}');
  expect(editLast).toHaveBeenCalledOnce();
});

it('makes a file of a long paste, says so, and puts it back as text', async () => {
  const words = 'wool '.repeat(2_000);
  const { box, user } = await open({ attachedText: () => Promise.resolve(words) });
  box.focus();
  await user.paste(words);
  expect(await screen.findByText('Pasted text.txt')).toBeVisible();
  expect(box).toHaveValue('');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => {
    expect(box).toHaveValue(words);
  });
  expect(screen.queryByText('Pasted text.txt')).toBeNull();
});

it('puts one of two equal files back as text, and leaves the other', async () => {
  const file = {
    type: 'file',
    blob: 7,
    name: 'wool.txt',
    mediaType: 'text/plain',
    bytes: 8,
  } as const;
  const draft = { text: '', attachments: [file, file] };
  const { box, user } = await open({
    session: () => Promise.resolve({ ...emptySession, draft }),
    attachedText: () => Promise.resolve('Red wool'),
  });
  const putBack = () =>
    screen.getAllByRole('button', { name: /^Put wool\.txt into the message box/ });
  expect(putBack()).toHaveLength(2);
  await user.click(putBack()[0] ?? box);
  await waitFor(() => {
    expect(putBack()).toHaveLength(1);
  });
  expect(box).toHaveValue('Red wool');
});

it('says at once that a file is more by itself than the model takes', async () => {
  const part: Attachment = {
    type: 'file',
    blob: 1,
    name: 'a.log',
    mediaType: 'text/plain',
    bytes: 4,
  };
  const draftSize = vi
    .fn<Backend['commands']['draftSize']>()
    .mockResolvedValueOnce({ tokens: 8_192, limit: 8_192 })
    .mockResolvedValueOnce({ tokens: 8_193, limit: 8_192 });
  const attachFile = vi
    .fn()
    .mockResolvedValueOnce({ ...part, blob: 2, name: 'b.log' })
    .mockResolvedValueOnce(part);
  const { user } = await open({ attachFile, draftSize }, 'enter', ['/x/b.log', '/x/a.log']);
  await user.click(screen.getByRole('button', { name: 'Attach' }));
  const list = await screen.findByRole('list', { name: 'Attachments' });
  const tooLarge = 'Too large for demo-8k even by itself (8.2k)';
  expect(await within(list).findAllByText(tooLarge)).toHaveLength(1);
  expect(within(list).getByText(tooLarge)).toHaveAttribute(
    'title',
    'Too large for demo-8k even by itself (8,192)',
  );
  expect(within(list).getByRole('button', { name: 'Open a.log' })).toHaveTextContent(tooLarge);
  expect(draftSize).toHaveBeenLastCalledWith(1, { text: '', attachments: [part] });
});

it('says of a document what it is, how long, that only its text is sent, and what it costs', async () => {
  const attachFile = () =>
    Promise.resolve({
      type: 'file' as const,
      blob: 4,
      name: 'report.pdf',
      mediaType: 'application/pdf',
      bytes: 2_048,
    });
  const attachedPages = vi.fn(() => Promise.resolve(12));
  const { user } = await open({ attachFile, attachedPages }, 'enter', ['/x/report.pdf']);
  await user.click(screen.getByRole('button', { name: 'Attach' }));
  const chip = await screen.findByRole('button', { name: 'Open report.pdf' });
  await waitFor(() => {
    expect(chip).toHaveTextContent('PDF, 12 pages · text only');
  });
  expect(chip).toHaveTextContent('1.2k tokens');
  expect(within(chip).getByTitle('2 kB · 1,234 tokens')).toBeVisible();
  expect(attachedPages).toHaveBeenCalledExactlyOnceWith(4, 'report.pdf');
});

it('says of a document that only its text is sent also where nobody knows how long it is, and of no other file', async () => {
  const name = { 'application/pdf': 'report.pdf', 'text/plain': 'a.log' };
  for (const mediaType of ['application/pdf', 'text/plain'] as const) {
    const attachFile = () =>
      Promise.resolve({
        type: 'file' as const,
        blob: 4,
        name: name[mediaType],
        mediaType,
        bytes: 9,
      });
    const attachedPages = () => Promise.resolve(null);
    const { user, unmount } = await open({ attachFile, attachedPages }, 'enter', ['/x/a']);
    await user.click(screen.getByRole('button', { name: 'Attach' }));
    const chip = await screen.findByRole('button', { name: `Open ${name[mediaType]}` });
    expect(chip.textContent.includes('Text only')).toBe(mediaType === 'application/pdf');
    unmount();
  }
});

it('asks Rust for the picture an empty paste stands for', async () => {
  const attachCopiedPicture = vi.fn(() =>
    Promise.resolve({
      type: 'image' as const,
      blob: 7,
      name: 'Pasted picture.png',
      mediaType: 'image/png',
      width: 2,
      height: 2,
      bytes: 90,
    }),
  );
  const { box, user } = await open({
    attachCopiedPicture,
    picture: () => Promise.resolve('iVBORw0='),
  });
  box.focus();
  await user.paste('');
  expect(await screen.findByText('Pasted picture.png')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove Pasted picture.png' }));
  expect(screen.queryByText('Pasted picture.png')).toBeNull();
});

it('says which file cannot be taken in, and takes the others', async () => {
  const attachFile = vi
    .fn()
    .mockRejectedValueOnce(
      Object.assign(new Error(), { kind: 'badFile', name: 'a.bin', fault: { type: 'notText' } }),
    )
    .mockResolvedValueOnce({
      type: 'file',
      blob: 3,
      name: 'b.md',
      mediaType: 'text/markdown',
      bytes: 4,
    });
  const { user } = await open({ attachFile }, 'enter', ['/x/a.bin', '/x/b.md']);
  await user.click(screen.getByRole('button', { name: 'Attach' }));
  expect(await screen.findByText(/a\.bin was not attached\. You can attach text/)).toBeVisible();
  expect(await screen.findByText('b.md')).toBeVisible();
});

const preview = () => screen.queryByRole('dialog', { name: 'Context estimate' });

it('shows the estimate where the pointer rests, and opens it at a press', async () => {
  const { user } = await open();
  const button = await screen.findByRole('button', { name: 'Context estimate' });
  await waitFor(() => {
    expect(button).toHaveAccessibleDescription('1,234 / 8,192');
  });
  await user.hover(button);
  expect(preview()).not.toBeInTheDocument();
  expect(await screen.findByRole('dialog', { name: 'Context estimate' })).toHaveTextContent(
    '1234 in numbers',
  );
  await user.click(button);
  expect(onEstimate).toHaveBeenCalledOnce();
  await waitFor(() => {
    expect(preview()).not.toBeInTheDocument();
  });
});

it.each([
  [null, 2_458, '2.5k / 8.2k', '2,458 / 8,192'],
  ['compaction', 2_458, '2.5k / 8.2kcompaction due', '2,458 / 8,192 · compaction due'],
  ['archiving', 7_373, '7.4k / 8.2karchiving due', '7,373 / 8,192 · archiving due'],
  ['stuck', 2_458, '2.5k / 8.2k', '2,458 / 8,192'],
  [null, 8_192, '8.2k / 8.2k', '8,192 / 8,192'],
  [null, 9_192, '9.2k / 8.2kover by 1k', '9,192 / 8,192 · over by 1,000'],
  [
    'compaction',
    1_400_000,
    '1.4m / 8.2kover by 1.4m',
    '1,400,000 / 8,192 · over by 1,391,808 · compaction due',
  ],
] as const)(
  'says that %s is due, and what is over, of %d tokens',
  async (type, tokens, short, full) => {
    const numbers = { floor: 2_458, limit: 2_457, instead: 6_144 };
    const due = type === 'stuck' ? { type, ...numbers } : type && { type };
    await open({
      estimate: () =>
        Promise.resolve({
          used: { tokens, basis: 'exact' },
          limit: { value: 8192, source: 'provider' },
          window: 10_000,
          spread: null,
          cost: unknownMessageCost,
          actsAt: 2_457,
          actsShare: null,
          due,
          model: emptySession.model,
        }),
    });
    const button = await screen.findByRole('button', { name: 'Context estimate' });
    await waitFor(() => {
      expect(button).toHaveAccessibleDescription(full);
    });
    expect(button.textContent).toBe(short);
  },
);

it('shows the estimate where the keyboard has walked to it, and Escape takes only that away', async () => {
  const { box, user } = await open();
  const stop = vi.fn();
  const heard = ({ key, defaultPrevented }: KeyboardEvent) => {
    if (key === 'Escape' && !defaultPrevented) stop();
  };
  window.addEventListener('keydown', heard);
  const button = await screen.findByRole('button', { name: 'Context estimate' });
  box.focus();
  while (document.activeElement !== button) await user.tab();
  expect(await screen.findByRole('dialog', { name: 'Context estimate' })).toBeVisible();
  expect(button).toHaveFocus();
  await user.keyboard('{Escape}');
  await waitFor(() => {
    expect(preview()).not.toBeInTheDocument();
  });
  expect(button).toHaveFocus();
  expect(stop).not.toHaveBeenCalled();
  window.removeEventListener('keydown', heard);
});

it('says that the folder has gone since it was chosen, and lets another be chosen or none', async () => {
  const chosen = { ...emptySession.session, overrides: { folder: '/home/ada/loom' } };
  const setOverride = vi.fn(() => Promise.resolve(null));
  let fault: FolderError | null = null;
  const { user } = await open({
    session: () => Promise.resolve({ ...emptySession, session: chosen }),
    folderFault: () => Promise.resolve(fault),
    setOverride,
  });
  expect(screen.getByRole('button', { name: 'Folder: loom' })).toBeVisible();
  fault = 'missing';
  fireEvent.focus(window);
  expect(
    await screen.findByText(
      /^The tools cannot reach the folder .* There is no folder \/home\/ada\/loom/,
    ),
  ).toBeVisible();
  expect(screen.getByRole('button', { name: 'Folder: loom, out of reach' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'No folder' }));
  expect(setOverride).toHaveBeenCalledWith(1, { name: 'folder', value: null });
});

const note: Attachment = {
  type: 'file',
  blob: 3,
  name: 'b.md',
  mediaType: 'text/markdown',
  bytes: 4,
};

/** A file that is being read until it is said to be there. */
async function reading(changes: Partial<Backend['commands']> = {}) {
  const asked: { resolve: (read: Attachment) => void; reject: (fault: Error) => void }[] = [];
  const attachFile = () =>
    new Promise<Attachment>((resolve, reject) => {
      asked.push({ resolve, reject });
    });
  const opened = await open({ attachFile, ...changes }, 'enter', ['/x/b.md']);
  await opened.user.click(screen.getByRole('button', { name: 'Attach' }));
  expect(await screen.findByText('Reading b.md…')).toBeVisible();
  return { ...opened, settle: () => asked.at(-1) };
}

it('keeps for its session what is read when somebody looks elsewhere', async () => {
  const saveDraft = vi.fn(() => Promise.resolve(null));
  const { box, user, unmount, settle } = await reading({ saveDraft });
  await user.type(box, 'Woven');
  unmount();
  settle()?.resolve(note);
  await waitFor(() => {
    expect(saveDraft).toHaveBeenLastCalledWith(1, { text: 'Woven', attachments: [note] }, null);
  });
});

it('sends a message when what goes with it is read, and not without what could not be', async () => {
  const send = vi.fn(() => new Promise<never>(() => undefined));
  const { box, user, settle } = await reading({ send });
  await user.type(box, 'Woven{Enter}');
  expect(
    screen.getByText('The message is sent once everything attached has been read.'),
  ).toBeVisible();
  expect(box).toHaveValue('');
  act(() => {
    settle()?.reject(
      Object.assign(new Error(), { kind: 'badFile', name: 'b.md', fault: { type: 'notText' } }),
    );
  });
  expect(await screen.findByText(/b\.md was not attached/)).toBeVisible();
  expect(send).not.toHaveBeenCalled();
  expect(box).toHaveValue('Woven');
  await user.click(screen.getByRole('button', { name: 'Attach' }));
  await screen.findByText('Reading b.md…');
  await user.type(box, '{Enter}');
  act(() => {
    settle()?.resolve(note);
  });
  const message = { text: 'Woven', attachments: [note] };
  await waitFor(() => {
    expect(send).toHaveBeenCalledExactlyOnceWith(1, message, expect.anything());
  });
  expect(box).toHaveValue('');
  turnStore.end(1, turnStore.begin(1), null);
});

it('sends what waits for its file though somebody looks elsewhere, with the words of Enter alone', async () => {
  const send = vi.fn(() => new Promise<never>(() => undefined));
  const saveDraft = vi.fn(() => Promise.resolve(null));
  const { box, user, settle, unmount } = await reading({ send, saveDraft });
  await user.type(box, 'Woven{Enter}and dyed');
  expect(box).toHaveValue('and dyed');
  unmount();
  await waitFor(() => {
    const both = { text: 'Woven\n\nand dyed', attachments: [] };
    expect(saveDraft).toHaveBeenLastCalledWith(1, both, null);
  });
  settle()?.resolve(note);
  const message = { text: 'Woven', attachments: [note] };
  await waitFor(() => {
    expect(send).toHaveBeenCalledExactlyOnceWith(1, message, expect.anything());
  });
  turnStore.end(1, turnStore.begin(1), null);
});

it.each(['Do not attach b.md', 'Do not send yet', 'Escape'])(
  'sends nothing that was called off, and has the words in the box again (%s)',
  async (way) => {
    const send = vi.fn(() => new Promise<never>(() => undefined));
    const { box, user, settle } = await reading({ send });
    await user.type(box, 'Woven{Enter}and dyed');
    if (way === 'Escape') await user.keyboard('{Escape}');
    else await user.click(screen.getByRole('button', { name: way }));
    expect(box).toHaveValue('Woven\n\nand dyed');
    await waitFor(() => {
      expect(box).toHaveFocus();
    });
    expect(
      screen.queryByText('The message is sent once everything attached has been read.'),
    ).toBeNull();
    await act(async () => {
      settle()?.resolve(note);
      await Promise.resolve();
    });
    const list = screen.queryByRole('list', { name: 'Attachments' });
    if (way === 'Do not attach b.md') expect(list).toBeNull();
    else expect(list).toHaveTextContent('b.md');
    expect(send).not.toHaveBeenCalled();
  },
);

it('scrolls the conversation by a page where the box has nothing to scroll', async () => {
  const { box } = await open();
  fireEvent.keyDown(box, { key: 'PageUp' });
  fireEvent.keyDown(box, { key: 'PageDown', shiftKey: true });
  fireEvent.keyDown(box, { key: 'PageDown' });
  expect(page.mock.calls).toEqual([[-1], [1]]);
  page.mockClear();
  vi.spyOn(box, 'scrollHeight', 'get').mockReturnValue(2_000);
  fireEvent.keyDown(box, { key: 'PageUp' });
  expect(page).not.toHaveBeenCalled();
});

it('stops nothing with the second click of two on Send', async () => {
  const send = vi.fn(() => new Promise<never>(() => undefined));
  const stop = vi.fn(() => Promise.resolve(null));
  const { box, user } = await open({ send, stop });
  await user.type(box, 'What?');
  fireEvent.click(screen.getByRole('button', { name: 'Send' }), { detail: 1 });
  const button = await screen.findByRole('button', { name: 'Stop' });
  fireEvent.click(button, { detail: 2 });
  expect(send).toHaveBeenCalledOnce();
  expect(stop).not.toHaveBeenCalled();
  fireEvent.click(button, { detail: 1 });
  await waitFor(() => {
    expect(stop).toHaveBeenCalledOnce();
  });
});
