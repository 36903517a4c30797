import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBackend } from '../fakeBackend';
import { renderApp } from '../render';

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
});

async function open() {
  const backend = fakeBackend();
  const search = vi.spyOn(backend.commands, 'search');
  const { user } = renderApp(backend);
  await screen.findByRole('textbox', { name: 'Message' });
  const sought = () => search.mock.calls.map(([words]) => words);
  return { user, sought };
}

/** As an input method does it: its letters stand in the box until what they are for is chosen. */
function compose(box: HTMLElement, letters: readonly string[], chosen: string) {
  fireEvent.compositionStart(box);
  for (const value of letters) fireEvent.input(box, { target: { value }, isComposing: true });
  return () => {
    fireEvent.input(box, { target: { value: chosen }, isComposing: true });
    fireEvent.compositionEnd(box);
  };
}

const rest = () => new Promise((done) => setTimeout(done, 250));

it('finds in the conversation what an input method wrote, not what it was asked for', async () => {
  const { user, sought } = await open();
  await user.keyboard('{Control>}f{/Control}');
  const choose = compose(
    await screen.findByRole('searchbox', { name: 'Find in this thread' }),
    ['n', 'ni', 'ni hao'],
    '你好',
  );
  await rest();
  expect(sought()).toEqual([]);
  choose();
  await waitFor(() => {
    expect(sought()).toEqual(['"你好"']);
  });
});

it('finds in the sessions what an input method wrote, not what it was asked for', async () => {
  const { sought } = await open();
  const choose = compose(screen.getByRole('searchbox', { name: 'Search' }), ['w', 'wo'], '我');
  await rest();
  expect(sought()).toEqual([]);
  expect(screen.getByRole('link', { name: 'Wool' })).toBeVisible();
  choose();
  await waitFor(() => {
    expect(sought()).toEqual(['我']);
  });
});

it('keeps what can be done in the list while an input method is asked for it', async () => {
  const { user, sought } = await open();
  await user.keyboard('{Control>}k{/Control}');
  const list = await screen.findByRole('listbox', { name: 'Search and commands' });
  const before = within(list).getAllByRole('option').length;
  const choose = compose(
    screen.getByRole('combobox', { name: 'Search and commands' }),
    ['n', 'ne', 'netw'],
    '网',
  );
  await rest();
  expect(within(list).getAllByRole('option')).toHaveLength(before);
  expect(sought()).toEqual([]);
  choose();
  await waitFor(() => {
    expect(sought()).toEqual(['网']);
  });
});
