import { act, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createStore, useStore } from './createStore';

it('renders a reader again when its part of the value changes, and only then', () => {
  const store = createStore({ warp: 1, weft: 1 });
  const rendered = vi.fn();
  function Warp() {
    const warp = useStore(store, (value) => value.warp);
    rendered();
    return <output>{warp}</output>;
  }
  render(<Warp />);
  act(() => {
    store.set({ ...store.get(), weft: 2 });
  });
  expect(rendered).toHaveBeenCalledTimes(1);
  act(() => {
    store.set({ ...store.get(), warp: 2 });
  });
  expect(screen.getByRole('status')).toHaveTextContent('2');
});

it('tells a listener nothing after it was removed', () => {
  const store = createStore(0);
  const listener = vi.fn();
  const unsubscribe = store.subscribe(listener);
  store.set(1);
  unsubscribe();
  store.set(2);
  expect(listener).toHaveBeenCalledOnce();
});
