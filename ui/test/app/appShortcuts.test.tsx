import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Topic } from '../../src/ipc/bindings';
import { fakeBackend, defaultSettings, settingsViewOf } from '../fakeBackend';
import { idleSessionItem } from '../fixtures/conversationFixtures';
import { renderApp } from '../render';

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
});

async function open() {
  const backend = fakeBackend();
  const { changes } = backend;
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (heard) => {
    tell = heard;
    return changes(heard);
  };
  const { person } = renderApp(backend);
  const box = await screen.findByRole('textbox', { name: 'Message' });
  const changed = (topic: Topic) => {
    tell([topic]);
  };
  return { box, person, commands: backend.commands, desktop: backend.desktop, changed };
}

it('finds what is typed among sessions, commands and settings, and gives the focus back', async () => {
  const { box, person, commands, changed } = await open();
  const silk = { ...idleSessionItem, id: 2, title: 'Silk', name: 'Silk' };
  Object.assign(commands, { sessions: () => Promise.resolve([idleSessionItem, silk]) });
  changed({ topic: 'sessions' });
  await screen.findByRole('link', { name: 'Silk' });
  box.focus();
  await person.keyboard('{Control>}k{/Control}');
  const find = await screen.findByRole('combobox', { name: 'Search and commands' });
  expect(find).toHaveFocus();
  const list = screen.getByRole('listbox', { name: 'Search and commands' });
  expect(within(list).getByRole('option', { name: /Silk/ })).toBeVisible();
  // The one that is open: Enter would do nothing.
  expect(within(list).queryByRole('option', { name: /Wool/ })).toBeNull();
  await person.type(find, 'netw');
  expect(
    within(list)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Network']);
  await person.keyboard('{Escape}');
  // A browser closes a modal dialog with Esc by asking it; jsdom does not.
  screen
    .getByRole('dialog', { name: 'Search and commands' })
    .dispatchEvent(new Event('cancel', { cancelable: true }));
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
});

it('opens a page of the settings from the palette', async () => {
  const { person } = await open();
  await person.keyboard('{Control>}k{/Control}');
  await person.type(
    await screen.findByRole('combobox', { name: 'Search and commands' }),
    'netw{Enter}',
  );
  expect(await screen.findByRole('dialog', { name: 'Settings' })).toBeVisible();
});

it('leads from the palette to a single setting, also to one that has to be opened', async () => {
  const { person, commands } = await open();
  const settings = () => Promise.resolve(settingsViewOf(defaultSettings));
  Object.assign(commands, { settings, strategies: () => new Promise(() => undefined) });
  const choose = async (typed: string, name: string) => {
    await person.keyboard('{Control>}k{/Control}');
    await person.type(await screen.findByRole('combobox', { name: 'Search and commands' }), typed);
    await person.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }));
  };
  await choose('zoom', 'Zoom(?! )');
  await waitFor(() => {
    expect(screen.getByRole('slider', { name: 'Zoom' })).toHaveFocus();
  });
  await person.click(screen.getByRole('button', { name: 'Close' }));
  await choose('recent rounds', 'Recent rounds kept');
  await waitFor(() => {
    expect(screen.getByRole('textbox', { name: 'Recent rounds kept word for word' })).toHaveFocus();
  });
});

it('offers in the palette whatever can be done or set', async () => {
  const { person } = await open();
  await person.keyboard('{Control>}k{/Control}');
  const find = await screen.findByRole('combobox', { name: 'Search and commands' });
  for (const name of [
    'Edit your last message',
    'Auto-compaction in this session: always off',
    'When the context fills up in this session: Archive and start anew',
    'Add a provider',
    'Back up now',
    'Theme: Dark',
    'Language: 简体中文',
    'Import…',
    'Deleted sessions',
    'Paste a configuration',
    'Compaction threshold',
    'Proxy',
  ]) {
    await person.clear(find);
    await person.click(find);
    await person.paste(name);
    expect(await screen.findByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible();
  }
});

it('says why a command of the palette failed', async () => {
  const { person, commands } = await open();
  const refuse = () => Promise.reject(new Error('the disk is gone'));
  Object.assign(commands, { compact: refuse, createSession: refuse });
  for (const asked of ['/compact', 'New session']) {
    await person.keyboard('{Control>}k{/Control}');
    await person.type(
      await screen.findByRole('combobox', { name: 'Search and commands' }),
      `${asked}{Enter}`,
    );
    await person.click(within(await screen.findByRole('alert')).getByRole('button'));
  }
});

it('shows every shortcut', async () => {
  const { person } = await open();
  await person.keyboard('{Control>}/{/Control}');
  const found = await screen.findAllByRole('definition');
  expect(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainElement(
    found[0] ?? null,
  );
  const shown = found.map(({ textContent }) => textContent);
  expect(shown).toEqual(
    expect.arrayContaining([
      'Ctrl+N',
      'Ctrl+K',
      'Ctrl+F',
      'Ctrl+,',
      'Ctrl+B',
      'Ctrl+/',
      'Ctrl++',
      'Ctrl+-',
      'Ctrl+0',
      'Ctrl+PgDn',
      'Ctrl+PgUp',
      'Ctrl+L',
      'Ctrl+U',
      'Ctrl+Shift+K',
      'Ctrl+Shift+C',
      'Ctrl+Shift+G',
      'Ctrl+Z',
      'F2',
      '↑',
      'Esc',
    ]),
  );
});

it('leads to the message box, the models and the files by their keys', async () => {
  const { box, person, desktop } = await open();
  screen.getByRole('button', { name: 'New session' }).focus();
  await person.keyboard('{Control>}l{/Control}');
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
  const pickFiles = vi.spyOn(desktop, 'pickFiles');
  await person.keyboard('{Control>}u{/Control}');
  expect(pickFiles).toHaveBeenCalledOnce();
  await person.keyboard('{Control>}{Shift>}k{/Shift}{/Control}');
  expect(await screen.findByRole('listbox')).toBeVisible();
});

it('does from the palette what has a key', async () => {
  const { box, person } = await open();
  await person.keyboard('{Control>}k{/Control}');
  const find = await screen.findByRole('combobox', { name: 'Search and commands' });
  await person.type(find, 'message box{Enter}');
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
});

it('renames a session of the list with F2, and the open one from elsewhere', async () => {
  const { box, person, commands } = await open();
  const renameSession = vi.fn(() => Promise.resolve(null));
  Object.assign(commands, { renameSession });
  screen.getByRole('link', { name: 'Wool' }).focus();
  await person.keyboard('{F2}');
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveFocus();
  expect(screen.queryByRole('dialog')).toBeNull();
  await person.keyboard('{Escape}');
  box.focus();
  await person.keyboard('{F2}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename' }));
  await person.clear(dialog.getByRole('textbox'));
  await person.type(dialog.getByRole('textbox'), 'Flax');
  await person.click(dialog.getByRole('button', { name: 'Close' }));
  await person.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await person.type(dialog.getByRole('textbox'), '{Enter}');
  expect(renameSession).toHaveBeenCalledExactlyOnceWith(1, 'Flax');
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

it('finds words in the conversation, counts them, and steps from the newest to the oldest', async () => {
  const { box, person } = await open();
  await person.type(box, 'red wool{Enter}');
  await person.type(box, 'blue silk{Enter}');
  await person.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole('searchbox', { name: 'Find in this thread' });
  await person.type(find, 'wool');
  expect(await screen.findByText('2 of 2')).toBeVisible();
  await person.keyboard('{Enter}');
  expect(screen.getByText('1 of 2')).toBeVisible();
  await person.clear(find);
  await person.type(find, 'cotton');
  expect(await screen.findByText('No messages')).toBeVisible();
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox', { name: 'Find in this thread' })).toBeNull();
  expect(box).toHaveFocus();
});

it('leads to what is found when it is asked to, and nowhere when something is said meanwhile', async () => {
  const { box, person } = await open();
  const gone = () => document.querySelector('[data-spot]')?.textContent;
  await person.type(box, 'red wool{Enter}');
  await person.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole('searchbox', { name: 'Find in this thread' });
  await person.type(find, 'You said');
  expect(await screen.findByText('1 of 1')).toBeVisible();
  await waitFor(() => {
    expect(gone()).toContain('You said: red wool');
  });
  await person.type(box, 'blue silk{Enter}');
  expect(await screen.findByText('1 of 2')).toBeVisible();
  expect(gone()).toBeUndefined();
  await person.type(find, '{Enter}');
  await waitFor(() => {
    expect(gone()).toContain('You said: blue silk');
  });
  await person.type(box, 'green flax{Enter}');
  expect(await screen.findByText('2 of 3')).toBeVisible();
  expect(gone()).toBeUndefined();
  await person.type(find, ': green');
  expect(await screen.findByText('1 of 1')).toBeVisible();
  await person.type(box, 'no more{Enter}');
  await waitFor(() => {
    expect(gone()).toBeUndefined();
  });
  // From wherever the person is.
  expect(box).toHaveFocus();
  await person.keyboard('{F3}');
  await waitFor(() => {
    expect(gone()).toContain('You said: green flax');
  });
});

it('says of a hit that it stands in another version, and shows that only when it is asked to', async () => {
  const { box, person, commands, changed } = await open();
  await person.type(box, 'red wool{Enter}');
  await person.type(box, 'blue wool{Enter}');
  await screen.findByText('You said: blue wool');
  // The last exchange is a version of the first.
  let shown = [1, 2];
  const { transcript } = commands;
  commands.transcript = async (...asked) => {
    const page = await transcript(...asked);
    return { ...page, items: page.items.filter(({ message }) => shown.includes(message.id)) };
  };
  commands.revealMessage = (message) => {
    shown = [message - 1, message];
    changed({ topic: 'thread', threadId: 1 });
    return Promise.resolve(null);
  };
  changed({ topic: 'thread', threadId: 1 });
  await waitFor(() => {
    expect(screen.queryByText('You said: blue wool')).toBeNull();
  });
  await person.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole('searchbox', { name: 'Find in this thread' });
  await person.type(find, 'wool');
  expect(await screen.findByText('4 of 4 · in another version')).toBeVisible();
  await person.keyboard('{Enter}{Enter}');
  expect(await screen.findByText('2 of 4')).toBeVisible();
  expect(screen.getByText('You said: red wool')).toBeInTheDocument();
  await person.keyboard('{Shift>}{Enter}{Enter}{/Shift}');
  await person.click(await screen.findByRole('button', { name: 'Show that version' }));
  expect(await screen.findByText('You said: blue wool')).toBeInTheDocument();
  expect(screen.getByText('4 of 4')).toBeVisible();
  expect(find).toHaveFocus();
});

it('edits the last message of the person with the arrow up, and Esc leaves it as it was', async () => {
  const { box, person } = await open();
  await person.type(box, 'red wool{Enter}');
  await screen.findByRole('article', { name: 'You' });
  await person.type(box, '{ArrowUp}');
  const edit = await screen.findByRole('textbox', { name: 'Edit the message' });
  expect(edit).toHaveValue('red wool');
  expect(edit).toHaveFocus();
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('textbox', { name: 'Edit the message' })).toBeNull();
  expect(box).toHaveFocus();
});

it('is at the words again where it is asked to find while it finds, and Escape closes it from anywhere in it', async () => {
  const { box, person } = await open();
  await person.type(box, 'red wool{Enter}');
  await person.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find in this thread' });
  await person.type(find, 'wool');
  await person.tab();
  await person.tab();
  expect(find).not.toHaveFocus();
  await person.keyboard('{Control>}f{/Control}');
  expect(find).toHaveFocus();
  expect([find.selectionStart, find.selectionEnd]).toEqual([0, 4]);
  const close = within(screen.getByRole('search')).getByRole('button', { name: 'Close' });
  close.focus();
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox', { name: 'Find in this thread' })).toBeNull();
});

it('is in the box again after a message was sent or deleted with the mouse', async () => {
  const { box, person, commands, changed } = await open();
  await person.type(box, 'red wool');
  await person.click(screen.getByRole('button', { name: 'Send' }));
  expect(box).toHaveFocus();
  const said = await screen.findByRole('article', { name: 'You' });
  const deleteMessage = () => {
    commands.transcript = () => Promise.resolve({ items: [], before: 0, after: 0 });
    changed({ topic: 'thread', threadId: 1 });
    return Promise.resolve({ id: 1 });
  };
  Object.assign(commands, { deleteMessage });
  await person.click(within(said).getByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await waitFor(() => {
    expect(said).not.toBeInTheDocument();
  });
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
});

it('leaves a session without a name as it is where nothing was written', async () => {
  const { person, commands, changed } = await open();
  const renameSession = vi.fn(() => Promise.resolve(null));
  const sessions = () => Promise.resolve([{ ...idleSessionItem, title: null, name: null }]);
  Object.assign(commands, { renameSession, sessions });
  changed({ topic: 'sessions' });
  await person.click(await screen.findByRole('button', { name: 'Actions for New session' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const title = await screen.findByRole('textbox', { name: 'Title' });
  expect(title).toHaveValue('');
  await person.type(title, '{Enter}');
  expect(await screen.findByRole('link', { name: 'New session' })).toBeVisible();
  expect(renameSession).not.toHaveBeenCalled();
});

it('is at the session again when its name is written, and leaves it as it was with Escape alone', async () => {
  const { person } = await open();
  const stopped = vi.fn();
  const heard = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) stopped();
  };
  window.addEventListener('keydown', heard);
  await person.click(await screen.findByRole('button', { name: 'Actions for Wool' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const title = await screen.findByRole('textbox', { name: 'Title' });
  await waitFor(() => {
    expect(title).toHaveFocus();
  });
  await person.keyboard('{Escape}');
  expect(await screen.findByRole('link', { name: 'Wool' })).toHaveFocus();
  expect(stopped).not.toHaveBeenCalled();
  window.removeEventListener('keydown', heard);
});
