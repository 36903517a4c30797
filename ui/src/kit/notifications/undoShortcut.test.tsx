import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { LanguageProvider } from '../../i18n';
import { ToastProvider, useToast } from './Toast';

const undone = vi.fn();

beforeEach(() => {
  undone.mockClear();
});

function Doing() {
  const toast = useToast();
  const undo = (what: string) => () => {
    undone(what);
  };
  return (
    <>
      <input aria-label="Words" />
      <button
        onClick={() => {
          toast({ words: 'Wool is deleted.', undo: undo('wool') });
          toast({ words: 'Flax is deleted.', undo: undo('flax') });
          toast({ words: 'Saved.' });
        }}
      >
        Do
      </button>
    </>
  );
}

it('takes back with the keys from an empty field, unless that was written in since', () => {
  render(
    <LanguageProvider choice="en">
      <ToastProvider>
        <Doing />
      </ToastProvider>
    </LanguageProvider>,
  );
  const field = screen.getByRole('textbox', { name: 'Words' });
  const press = () => fireEvent.keyDown(field, { key: 'z', ctrlKey: true });
  const write = (words: string) => fireEvent.input(field, { target: { value: words } });
  write('Wool');
  write('');
  fireEvent.click(screen.getByRole('button', { name: 'Do' }));
  expect(press()).toBe(false);
  expect(undone.mock.lastCall).toEqual(['flax']);
  write('Silk');
  expect(press()).toBe(true);
  write('');
  expect(press()).toBe(true);
  expect(undone).toHaveBeenCalledOnce();
});

it('takes back what was done last with the keys that undo, but not those of a text', () => {
  render(
    <LanguageProvider choice="en">
      <ToastProvider>
        <Doing />
      </ToastProvider>
    </LanguageProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Do' }));
  const press = (on: Element) => fireEvent.keyDown(on, { key: 'z', ctrlKey: true });
  const field = screen.getByRole('textbox', { name: 'Words' });
  fireEvent.input(field, { target: { value: 'Wool' } });
  expect(press(field)).toBe(true);
  expect(undone).not.toHaveBeenCalled();
  expect(press(document.body)).toBe(false);
  expect(undone.mock.lastCall).toEqual(['flax']);
  expect(screen.queryByText('Flax is deleted.')).toBeNull();
  press(document.body);
  expect(undone.mock.calls).toEqual([['flax'], ['wool']]);
  expect(press(document.body)).toBe(true);
  expect(undone).toHaveBeenCalledTimes(2);
});
