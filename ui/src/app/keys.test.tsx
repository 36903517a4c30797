import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { memoryBackend } from '../ipc/memory';
import { App } from './App';

beforeEach(() => {
  // jsdom has no layout: whatever is asked for its size has one.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(800);
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
});

async function open() {
  const backend = memoryBackend();
  render(<App backend={backend} />);
  const box = await screen.findByRole('textbox', { name: 'Message' });
  return { box, person: userEvent.setup(), commands: backend.commands };
}

it('finds what is typed among sessions, commands and settings, and gives the focus back', async () => {
  const { box, person } = await open();
  box.focus();
  await person.keyboard('{Control>}k{/Control}');
  const find = screen.getByRole('combobox', { name: 'Search and commands' });
  expect(find).toHaveFocus();
  const list = screen.getByRole('listbox', { name: 'Search and commands' });
  expect(within(list).getByRole('option', { name: /Wool/ })).toBeVisible();
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
  await person.type(screen.getByRole('combobox', { name: 'Search and commands' }), 'netw{Enter}');
  expect(await screen.findByRole('dialog', { name: 'Settings' })).toBeVisible();
});

it('says why a command of the palette failed', async () => {
  const { person, commands } = await open();
  const refuse = () => Promise.reject(new Error('the disk is gone'));
  Object.assign(commands, { compact: refuse, createSession: refuse });
  for (const asked of ['/compact', 'New session']) {
    await person.keyboard('{Control>}k{/Control}');
    await person.type(
      screen.getByRole('combobox', { name: 'Search and commands' }),
      `${asked}{Enter}`,
    );
    await person.click(within(await screen.findByRole('alert')).getByRole('button'));
  }
});

it('shows every shortcut', async () => {
  const { person } = await open();
  await person.keyboard('{Control>}/{/Control}');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  const shown = within(dialog)
    .getAllByRole('definition')
    .map(({ textContent }) => textContent);
  expect(shown).toEqual(
    expect.arrayContaining([
      'Ctrl+N',
      'Ctrl+K',
      'Ctrl+F',
      'Ctrl+,',
      'Ctrl+B',
      'Ctrl+/',
      '↑',
      'Esc',
    ]),
  );
});

it('finds words in the conversation, counts them, and steps from the newest to the oldest', async () => {
  const { box, person } = await open();
  await person.type(box, 'red wool{Enter}');
  await person.type(box, 'blue silk{Enter}');
  await person.keyboard('{Control>}f{/Control}');
  const find = screen.getByRole('searchbox', { name: 'Find in conversation' });
  await person.type(find, 'wool');
  expect(await screen.findByText('1 of 2')).toBeVisible();
  await person.keyboard('{Enter}');
  expect(screen.getByText('2 of 2')).toBeVisible();
  await person.clear(find);
  await person.type(find, 'cotton');
  expect(await screen.findByText('No messages')).toBeVisible();
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('searchbox', { name: 'Find in conversation' })).toBeNull();
  expect(box).toHaveFocus();
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
