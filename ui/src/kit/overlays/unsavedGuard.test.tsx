import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from './Dialog';
import { TextField } from '../fields/TextField';
import { setUnsaved, useUnsavedForm, useUnsavedInWindow } from './unsavedGuard';

function Name() {
  const [name, setName] = useState('');
  useUnsavedForm(name !== '');
  return <TextField label="Name" value={name} onChange={setName} />;
}

const onClose = vi.fn();
const dialog = () => screen.getByRole('dialog', { name: 'Loom' });
const name = () => screen.getByRole('textbox', { name: 'Name' });
const asked = () => screen.queryByRole('dialog', { name: 'Discard what you typed?' });

beforeEach(() => {
  onClose.mockReset();
  render(
    <Dialog title="Loom" onClose={onClose}>
      <Name />
    </Dialog>,
  );
});

/** Actions that leave the text. The browser must not perform them while text is unsaved. */
const ways: [string, () => unknown][] = [
  ['Esc', () => fireEvent.keyDown(name(), { key: 'Escape' })],
  // A browser that closes by itself asks so; jsdom does not.
  ['its cancelling', () => fireEvent(dialog(), new Event('cancel', { cancelable: true }))],
  ['a press beside it', () => fireEvent.mouseDown(dialog(), { clientX: 5_000, clientY: 5_000 })],
  ['its ×', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
];

test.each(ways)('a dialog asks before %s throws away what is written in it', async (_, close) => {
  await userEvent.type(name(), 'Wool');
  close();
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(asked()).toBeNull();
  expect(name()).toHaveValue('Wool');
  close();
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledOnce();
});

test.each(ways.slice(1))('%s closes at once what was emptied again', async (_, close) => {
  await userEvent.type(name(), 'Wool');
  await userEvent.clear(name());
  close();
  expect(asked()).toBeNull();
  expect(onClose).toHaveBeenCalledOnce();
});

test('Esc is kept from the browser, which closes the second time without asking', async () => {
  await userEvent.type(name(), 'Wool');
  expect(fireEvent.keyDown(name(), { key: 'Escape' })).toBe(false);
});

test('an Esc in a dialog that was opened from inside asks nothing of this one', async () => {
  cleanup();
  render(
    <Dialog title="Loom" onClose={onClose}>
      <Name />
      <Dialog title="Forget the key?" onClose={onClose}>
        <p>It cannot be shown again.</p>
      </Dialog>
    </Dialog>,
  );
  await userEvent.type(name(), 'Wool');
  fireEvent.keyDown(screen.getByText('It cannot be shown again.'), { key: 'Escape' });
  expect(asked()).toBeNull();
});

test('an Esc that ends a composition asks nothing', async () => {
  await userEvent.type(name(), 'Wool');
  expect(fireEvent.keyDown(name(), { key: 'Escape', isComposing: true })).toBe(false);
  expect(asked()).toBeNull();
});

test('the window knows of what is written in a form, and of what is not seen any more', async () => {
  const { result } = renderHook(() => [...useUnsavedInWindow().values()]);
  expect(result.current).toEqual([]);
  await userEvent.type(name(), 'Wool');
  expect(result.current).toEqual([null]);
  await userEvent.clear(name());
  expect(result.current).toEqual([]);
  for (const unsaved of [true, false]) {
    act(() => {
      setUnsaved('elsewhere', unsaved, 7);
    });
    expect(result.current).toEqual(unsaved ? [7] : []);
  }
});
