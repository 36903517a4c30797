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
  const { user } = renderApp(backend);
  const box = await screen.findByRole('textbox', { name: 'Message' });
  const changed = (topic: Topic) => {
    tell([topic]);
  };
  return { box, user, commands: backend.commands, desktop: backend.desktop, changed };
}

it('finds what is typed among sessions, commands and settings, and gives the focus back', async () => {
  const { box, user, commands, changed } = await open();
  const silk = { ...idleSessionItem, id: 2, title: 'Silk', name: 'Silk' };
  Object.assign(commands, { sessions: () => Promise.resolve([idleSessionItem, silk]) });
  changed({ topic: 'sessions' });
  await screen.findByRole('link', { name: 'Silk' });
  box.focus();
  await user.keyboard('{Control>}k{/Control}');
  const find = await screen.findByRole('combobox', { name: 'Search and commands' });
  expect(find).toHaveFocus();
  const list = screen.getByRole('listbox', { name: 'Search and commands' });
  expect(within(list).getByRole('option', { name: /Silk/ })).toBeVisible();
  // The one that is open: Enter would do nothing.
  expect(within(list).queryByRole('option', { name: /Wool/ })).toBeNull();
  await user.type(find, 'netw');
  expect(
    within(list)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Network']);
  await user.keyboard('{Escape}');
  // A browser closes a modal dialog with Esc by asking it; jsdom does not.
  screen
    .getByRole('dialog', { name: 'Search and commands' })
    .dispatchEvent(new Event('cancel', { cancelable: true }));
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
});

it('opens a page of the settings from the palette', async () => {
  const { user } = await open();
  await user.keyboard('{Control>}k{/Control}');
  await user.type(
    await screen.findByRole('combobox', { name: 'Search and commands' }),
    'netw{Enter}',
  );
  expect(await screen.findByRole('dialog', { name: 'Settings' })).toBeVisible();
});

it('leads from the palette to a single setting, also to one that has to be opened', async () => {
  const { user, commands } = await open();
  const settings = () => Promise.resolve(settingsViewOf(defaultSettings));
  Object.assign(commands, { settings, strategies: () => new Promise(() => undefined) });
  const choose = async (typed: string, name: string) => {
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('combobox', { name: 'Search and commands' }), typed);
    await user.click(await screen.findByRole('option', { name: new RegExp(`^${name}`) }));
  };
  await choose('zoom', 'Zoom(?! )');
  await waitFor(() => {
    expect(screen.getByRole('slider', { name: 'Zoom' })).toHaveFocus();
  });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await choose('recent rounds', 'Recent rounds kept');
  await waitFor(() => {
    expect(screen.getByRole('textbox', { name: 'Recent rounds kept word for word' })).toHaveFocus();
  });
});

it('offers in the palette whatever can be done or set', async () => {
  const { user } = await open();
  await user.keyboard('{Control>}k{/Control}');
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
    await user.clear(find);
    await user.click(find);
    await user.paste(name);
    expect(await screen.findByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible();
  }
});

it('opens the window for quick questions from the palette', async () => {
  const { user, commands } = await open();
  const openQuickAsk = vi.fn(() => Promise.resolve(null));
  Object.assign(commands, { openQuickAsk });
  await user.keyboard('{Control>}k{/Control}');
  await user.type(
    await screen.findByRole('combobox', { name: 'Search and commands' }),
    'Quick ask{Enter}',
  );
  expect(openQuickAsk).toHaveBeenCalledOnce();
});

it('says why a command of the palette failed', async () => {
  const { user, commands } = await open();
  const refuse = () => Promise.reject(new Error('the disk is gone'));
  Object.assign(commands, { compact: refuse, createSession: refuse });
  for (const asked of ['/compact', 'New session']) {
    await user.keyboard('{Control>}k{/Control}');
    await user.type(
      await screen.findByRole('combobox', { name: 'Search and commands' }),
      `${asked}{Enter}`,
    );
    await user.click(within(await screen.findByRole('alert')).getByRole('button'));
  }
});

it('shows every shortcut', async () => {
  const { user } = await open();
  await user.keyboard('{Control>}/{/Control}');
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
  const { box, user, desktop } = await open();
  screen.getByRole('button', { name: 'New session' }).focus();
  await user.keyboard('{Control>}l{/Control}');
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
  const pickFiles = vi.spyOn(desktop, 'pickFiles');
  await user.keyboard('{Control>}u{/Control}');
  expect(pickFiles).toHaveBeenCalledOnce();
  await user.keyboard('{Control>}{Shift>}k{/Shift}{/Control}');
  expect(await screen.findByRole('listbox')).toBeVisible();
});

it('does from the palette what has a key', async () => {
  const { box, user } = await open();
  await user.keyboard('{Control>}k{/Control}');
  const find = await screen.findByRole('combobox', { name: 'Search and commands' });
  await user.type(find, 'message box{Enter}');
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
});

it('renames a session of the list with F2, and the open one from elsewhere', async () => {
  const { box, user, commands } = await open();
  const renameSession = vi.fn(() => Promise.resolve(null));
  Object.assign(commands, { renameSession });
  screen.getByRole('link', { name: 'Wool' }).focus();
  await user.keyboard('{F2}');
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveFocus();
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('{Escape}');
  box.focus();
  await user.keyboard('{F2}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Rename' }));
  await user.clear(dialog.getByRole('textbox'));
  await user.type(dialog.getByRole('textbox'), 'Flax');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
  await user.type(dialog.getByRole('textbox'), '{Enter}');
  expect(renameSession).toHaveBeenCalledExactlyOnceWith(1, 'Flax');
  await waitFor(() => {
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

it('finds words in the conversation, counts them, and steps from the newest to the oldest', async () => {
  const { box, user } = await open();
  await user.type(box, 'red wool{Enter}');
  await user.type(box, 'blue silk{Enter}');
  await user.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole('searchbox', { name: 'Find in this thread' });
  await user.type(find, 'wool');
  expect(await screen.findByText('2 of 2')).toBeVisible();
  await user.keyboard('{Enter}');
  expect(screen.getByText('1 of 2')).toBeVisible();
  await user.clear(find);
  await user.type(find, 'cotton');
  expect(await screen.findByText('No messages')).toBeVisible();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox', { name: 'Find in this thread' })).toBeNull();
  expect(box).toHaveFocus();
});

it('leads to what is found when it is asked to, and nowhere when something is said meanwhile', async () => {
  const { box, user } = await open();
  const gone = () => document.querySelector('[data-spot]')?.textContent;
  await user.type(box, 'red wool{Enter}');
  await user.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole('searchbox', { name: 'Find in this thread' });
  await user.type(find, 'You said');
  expect(await screen.findByText('1 of 1')).toBeVisible();
  await waitFor(() => {
    expect(gone()).toContain('You said: red wool');
  });
  await user.type(box, 'blue silk{Enter}');
  expect(await screen.findByText('1 of 2')).toBeVisible();
  expect(gone()).toBeUndefined();
  await user.type(find, '{Enter}');
  await waitFor(() => {
    expect(gone()).toContain('You said: blue silk');
  });
  await user.type(box, 'green flax{Enter}');
  expect(await screen.findByText('2 of 3')).toBeVisible();
  expect(gone()).toBeUndefined();
  await user.type(find, ': green');
  expect(await screen.findByText('1 of 1')).toBeVisible();
  await user.type(box, 'no more{Enter}');
  await waitFor(() => {
    expect(gone()).toBeUndefined();
  });
  // From wherever the focus is.
  expect(box).toHaveFocus();
  await user.keyboard('{F3}');
  await waitFor(() => {
    expect(gone()).toContain('You said: green flax');
  });
});

it('says of a hit that it stands in another version, and shows that only when it is asked to', async () => {
  const { box, user, commands, changed } = await open();
  await user.type(box, 'red wool{Enter}');
  await user.type(box, 'blue wool{Enter}');
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
  await user.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole('searchbox', { name: 'Find in this thread' });
  await user.type(find, 'wool');
  expect(await screen.findByText('4 of 4 · in another version')).toBeVisible();
  await user.keyboard('{Enter}{Enter}');
  expect(await screen.findByText('2 of 4')).toBeVisible();
  expect(screen.getByText('You said: red wool')).toBeInTheDocument();
  await user.keyboard('{Shift>}{Enter}{Enter}{/Shift}');
  await user.click(await screen.findByRole('button', { name: 'Show that version' }));
  expect(await screen.findByText('You said: blue wool')).toBeInTheDocument();
  expect(screen.getByText('4 of 4')).toBeVisible();
  expect(find).toHaveFocus();
});

it('edits the last message of the person with the arrow up, and Esc leaves it as it was', async () => {
  const { box, user } = await open();
  await user.type(box, 'red wool{Enter}');
  await screen.findByRole('article', { name: 'You' });
  await user.type(box, '{ArrowUp}');
  const edit = await screen.findByRole('textbox', { name: 'Edit the message' });
  expect(edit).toHaveValue('red wool');
  expect(edit).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('textbox', { name: 'Edit the message' })).toBeNull();
  expect(box).toHaveFocus();
});

it('is at the words again where it is asked to find while it finds, and Escape closes it from anywhere in it', async () => {
  const { box, user } = await open();
  await user.type(box, 'red wool{Enter}');
  await user.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find in this thread' });
  await user.type(find, 'wool');
  await user.tab();
  await user.tab();
  expect(find).not.toHaveFocus();
  await user.keyboard('{Control>}f{/Control}');
  expect(find).toHaveFocus();
  expect([find.selectionStart, find.selectionEnd]).toEqual([0, 4]);
  const close = within(screen.getByRole('search')).getByRole('button', { name: 'Close' });
  close.focus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox', { name: 'Find in this thread' })).toBeNull();
});

it('is in the box again after a message was sent or deleted with the mouse', async () => {
  const { box, user, commands, changed } = await open();
  await user.type(box, 'red wool');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(box).toHaveFocus();
  const said = await screen.findByRole('article', { name: 'You' });
  const deleteMessage = () => {
    commands.transcript = () => Promise.resolve({ items: [], before: 0, after: 0 });
    changed({ topic: 'thread', threadId: 1 });
    return Promise.resolve({ id: 1 });
  };
  Object.assign(commands, { deleteMessage });
  await user.click(within(said).getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await waitFor(() => {
    expect(said).not.toBeInTheDocument();
  });
  await waitFor(() => {
    expect(box).toHaveFocus();
  });
});

it('leaves a session without a name as it is where nothing was written', async () => {
  const { user, commands, changed } = await open();
  const renameSession = vi.fn(() => Promise.resolve(null));
  const sessions = () => Promise.resolve([{ ...idleSessionItem, title: null, name: null }]);
  Object.assign(commands, { renameSession, sessions });
  changed({ topic: 'sessions' });
  await user.click(await screen.findByRole('button', { name: 'Actions for New session' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const title = await screen.findByRole('textbox', { name: 'Title' });
  expect(title).toHaveValue('');
  await user.type(title, '{Enter}');
  expect(await screen.findByRole('link', { name: 'New session' })).toBeVisible();
  expect(renameSession).not.toHaveBeenCalled();
});

it('is at the session again when its name is written, and leaves it as it was with Escape alone', async () => {
  const { user } = await open();
  const stopped = vi.fn();
  const heard = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) stopped();
  };
  window.addEventListener('keydown', heard);
  await user.click(await screen.findByRole('button', { name: 'Actions for Wool' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const title = await screen.findByRole('textbox', { name: 'Title' });
  await waitFor(() => {
    expect(title).toHaveFocus();
  });
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('link', { name: 'Wool' })).toHaveFocus();
  expect(stopped).not.toHaveBeenCalled();
  window.removeEventListener('keydown', heard);
});
